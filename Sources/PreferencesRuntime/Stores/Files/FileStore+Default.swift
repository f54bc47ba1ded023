import Foundation

extension FileStore {
    /// The store in the user's folder for configuration: `$XDG_CONFIG_HOME/APP/preferences.json`.
    ///
    /// By the XDG Base Directory Specification, `$HOME/.config` takes the place of a variable that is not set, empty or
    /// a relative path. On Apple platforms the folder is `~/Library/Application Support`. `APP` is the bundle
    /// identifier, or the program's name where there is none.
    public static let `default` = FileStore(url: defaultURL)

    private static var defaultURL: URL {
        let app = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
        #if canImport(Darwin)
            return applicationFile(app, in: URL.applicationSupportDirectory)
        #else
            return applicationFile(
                app,
                in: configurationFolder(
                    environment: ProcessInfo.processInfo.environment,
                    home: FileManager.default.homeDirectoryForCurrentUser
                )
            )
        #endif
    }

    static func applicationFile(_ app: String, in folder: URL) -> URL {
        folder.appending(component: app, directoryHint: .isDirectory).appending(component: "preferences.json")
    }

    static func configurationFolder(environment: [String: String], home: URL) -> URL {
        func folder(_ variable: String) -> URL? {
            guard let path = environment[variable], path.hasPrefix("/") else { return nil }
            return URL(filePath: path, directoryHint: .isDirectory)
        }
        // Foundation looks up the user's folder without asking `HOME`, which people set to have files elsewhere.
        return folder("XDG_CONFIG_HOME")
            ?? (folder("HOME") ?? home).appending(component: ".config", directoryHint: .isDirectory)
    }
}
