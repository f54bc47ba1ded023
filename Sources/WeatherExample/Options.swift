import Foundation
import PreferencesRuntime

/// What the command line asks for.
struct Options {
    var storeURL = FileStore.default.url
    var task = Task.takeReading

    enum Task {
        case takeReading
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

        USAGE: swift run WeatherExample [--store PATH] [--reset | --watch]

          --store PATH   The file that keeps the preferences: .json or .plist.
                         Default: \(FileStore.default.url.path)
          --reset        Put every preference back to its default.
          --watch        Show what other runs change, as they do, until Ctrl-C.
          -h, --help     Show this text.
        """

    static func parse(_ arguments: some Sequence<String>) -> Parsed {
        var options = Options()
        var rest = Array(arguments)[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--store":
                guard let path = rest.popFirst() else { return .refuse("--store needs a path behind it") }
                options.storeURL = URL(filePath: path)
            case "--reset": options.task = .reset
            case "--watch": options.task = .watch
            case "--help", "-h": return .help
            default: return .refuse("unknown option '\(argument)'")
            }
        }
        return .run(options)
    }
}
