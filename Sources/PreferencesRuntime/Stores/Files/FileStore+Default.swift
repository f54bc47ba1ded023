package import Foundation

extension FileStore {
    /// The store in the user's configuration folder: `$XDG_CONFIG_HOME/APP/preferences.json`.
    ///
    /// If the variable is not set, empty or a relative path, the folder is `$HOME/.config`, as the XDG Base Directory
    /// Specification requires. On Apple platforms the folder is `~/Library/Application Support`. `APP` is the bundle
    /// identifier, or the program's name if there is none.
    public static let `default` = FileStore(url: defaultURL(ofApp: app))

    /// The read-only stores of the files that an administrator may have created, in order of precedence:
    /// `/etc/xdg/APP/preferences.json`.
    ///
    /// They are in the folders of `$XDG_CONFIG_DIRS`, or in `/etc/xdg` if the variable is not set, empty or has no
    /// absolute path, as the XDG Base Directory Specification requires. On Apple platforms the folder is
    /// `/Library/Application Support`. A missing file has no values. Use them as the last layers of a ``LayeredStore``.
    public static let siteStores: [any PreferenceStore] = siteStores(ofApp: app)

    /// Returns the store that is ``default`` in the program with a name.
    package static func `default`(ofApp app: String, damageHandling: DamageHandling? = nil) -> FileStore {
        FileStore(url: defaultURL(ofApp: app), damageHandling: damageHandling)
    }

    /// Returns the stores that are ``siteStores`` in the program with a name.
    package static func siteStores(ofApp app: String) -> [any PreferenceStore] {
        siteFolders.map { folder in ReadOnlyStore(FileStore(url: applicationFile(app, in: folder))) }
    }

    private static var siteFolders: [URL] {
        #if canImport(Darwin)
            [administratorFolder]
        #else
            siteFolders(environment: ProcessInfo.processInfo.environment)
        #endif
    }

    /// The folder that only an administrator can change, whatever the environment says.
    static var administratorFolder: URL {
        #if canImport(Darwin)
            URL(filePath: "/Library/Application Support", directoryHint: .isDirectory)
        #else
            URL(filePath: "/etc/xdg", directoryHint: .isDirectory)
        #endif
    }

    static var app: String { Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName }

    private static func defaultURL(ofApp app: String) -> URL {
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

    static func siteFolders(environment: [String: String]) -> [URL] {
        let paths = (environment["XDG_CONFIG_DIRS"] ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
        return (paths.isEmpty ? ["/etc/xdg"] : paths).map {
            URL(filePath: String($0), directoryHint: .isDirectory)
        }
    }

    /// Returns the folder of `XDG_CONFIG_HOME`, or `.config` in the one of `HOME`.
    package static func configurationFolder(environment: [String: String], home: URL) -> URL {
        func folder(_ variable: String) -> URL? {
            guard let path = environment[variable], path.hasPrefix("/") else { return nil }
            return URL(filePath: path, directoryHint: .isDirectory)
        }
        // Foundation ignores `HOME`, which users set to move their files.
        return folder("XDG_CONFIG_HOME")
            ?? (folder("HOME") ?? home).appending(component: ".config", directoryHint: .isDirectory)
    }
}
