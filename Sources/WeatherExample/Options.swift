import Foundation
import PreferencesRuntime

/// What the command line asks for.
struct Options {
    var storeURL = FileStore.default.url
    var task = Task.takeReading

    /// What the options of preferences begin with: `--set-theme=dark`.
    static let settingPrefix = "--set-"

    enum Task {
        case takeReading
        case showSources
        case reset
        case watch
    }

    enum Parsed {
        case run(Options)
        case help
        case refuse(String)
    }

    static let help = """
        Shows a weather station's preferences, changes some, and keeps them.

        USAGE: swift run WeatherExample [--store PATH] [--sources | --reset | --watch] [--set-NAME=VALUE ...]

          --store PATH       The file that keeps the preferences: .json or .plist.
                             Default: \(FileStore.default.url.path)
          --sources          Show where each preference comes from.
          --reset            Put every preference back to its default.
          --watch            Show what other runs change, as they do, until Ctrl-C.
          --set-NAME=VALUE   Have a preference another value in this run: --set-weather-service-unit=kelvin. So does
                             the environment, less urgently: WEATHER_EXAMPLE_WEATHER_SERVICE_UNIT=kelvin.
          -h, --help         Show this text.
        """

    static func parse(_ arguments: some Sequence<String>) -> Parsed {
        var options = Options()
        var rest = Array(arguments)[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--store":
                guard let path = rest.popFirst() else { return .refuse("--store needs a path behind it") }
                options.storeURL = URL(filePath: path)
            case "--sources": options.task = .showSources
            case "--reset": options.task = .reset
            case "--watch": options.task = .watch
            case "--help", "-h": return .help
            // What it says is read by an `ArgumentsStore`.
            case _ where argument.hasPrefix(settingPrefix) && argument.contains("="): break
            default: return .refuse("unknown option '\(argument)'")
            }
        }
        return .run(options)
    }
}
