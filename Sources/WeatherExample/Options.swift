import Foundation
import PreferencesRuntime

/// The options of the command line.
struct Options {
    var storeURL = FileStore.default.url
    var task = Task.takeReading

    /// The prefix of options that set preferences: `--set-theme=dark`.
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
        Shows a weather station's preferences, changes some, and stores them.

        USAGE: swift run WeatherExample [--store PATH] [--sources | --reset | --watch] [--set-NAME=VALUE ...]

          --store PATH       The file of the preferences: .json or .plist.
                             Default: \(FileStore.default.url.path)
          --sources          Show the source of each preference.
          --reset            Restore every default.
          --watch            Show the changes of other runs at once, until Ctrl-C.
          --set-NAME=VALUE   Override a preference in this run: --set-weather-service-unit=kelvin. The environment
                             does, too, after options: WEATHER_EXAMPLE_WEATHER_SERVICE_UNIT=kelvin.
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
            // An `ArgumentsStore` reads its value.
            case _ where argument.hasPrefix(settingPrefix) && argument.contains("="): break
            default: return .refuse("unknown option '\(argument)'")
            }
        }
        return .run(options)
    }
}
