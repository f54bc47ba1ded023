import Foundation
import PreferencesCommandLine
import PreferencesRuntime

/// The files of an app: its default store, the site files of administrators, and its schemas.
struct AppFiles {
    private let name: String

    /// - Parameter name: A name that ``accepts(_:)`` permits.
    init(_ name: String) {
        self.name = name
    }

    /// Whether a name can be that of an app. Its files are in folders of that name, and not outside them.
    static func accepts(_ name: String) -> Bool {
        let isControlOrSlash: (Unicode.Scalar) -> Bool = { $0 == "/" || $0.properties.generalCategory == .control }
        return !["", ".", ".."].contains(name) && !name.unicodeScalars.contains(where: isControlOrSlash)
    }

    /// The stores that `Preferences.shared` has by default, and the site files.
    var stores: [any PreferenceStore] {
        #if canImport(Darwin)
            [UserDefaultsStore(suite: name)]
        #else
            [FileStore.default(ofApp: name, damageHandling: .refuse)] + FileStore.siteStores(ofApp: name)
        #endif
    }

    /// Returns the schemas that the app's target has in the package around the current folder; otherwise those that are
    /// installed as `share/NAME/*.preferences.json`.
    ///
    /// - Parameter configuration: The path of their configuration; nil for that of the target.
    /// - Throws: A failure if there are none.
    func schemas(_ configuration: String?) throws(Failure) -> SchemaFiles {
        let folders = packageFolder.map(sources) ?? []
        let places = folders + installed
        if let found = places.first(where: { FilePath.exists($0) && hasSchema($0) }) {
            let candidates = folders.contains(found) ? folders.filter { FilePath.exists($0) && hasSchema($0) } : [found]
            let configuration = configuration ?? self.configuration(in: folders)
            if let files = SchemaFiles(candidates, configuration: configuration) { return files }
        }
        throw Failure(
            "no schema of '\(name)' found; specify '--schema FILE', or run it in the package that declares the target. "
                + "It is looked for in \(places.joined(separator: ", "))",
            .system
        )
    }

    /// The nearest folder with a package manifest, from the current one outwards.
    private var packageFolder: String? {
        var folder = FileManager.default.currentDirectoryPath
        while true {
            if FilePath.isFile(FilePath.join(folder, "Package.swift")) { return folder }
            let outer = FilePath.folder(of: folder)
            if outer == folder { return nil }
            folder = outer
        }
    }

    /// Returns the places of a target's schemas, as the plugin finds them: its folder, and `Schemas`.
    private func sources(in package: String) -> [String] {
        ["Sources/\(name)", "Schemas/\(name)", "Schemas/\(name).preferences.json"].map { FilePath.join(package, $0) }
    }

    private func hasSchema(_ path: String) -> Bool {
        !FilePath.isFolder(path) || !FileSearch(path, suffix: ".preferences.json").paths.isEmpty
    }

    private func configuration(in folders: [String]) -> String? {
        folders.map { FilePath.join($0, "preferences-generator-config.json") }.first { FilePath.isFile($0) }
    }

    /// The folders for schemas of installed programs, by the XDG Base Directory Specification.
    private var installed: [String] {
        let environment = ProcessInfo.processInfo.environment
        func variable(_ name: String, _ fallback: String) -> String {
            let value = environment[name] ?? ""
            return value.isEmpty ? fallback : value
        }
        let home = environment["HOME"] ?? FileManager.default.homeDirectoryForCurrentUser.path
        let folders =
            [variable("XDG_DATA_HOME", "\(home)/.local/share")]
            + variable("XDG_DATA_DIRS", "/usr/local/share:/usr/share").split(separator: ":").map(String.init)
        return folders.map { FilePath.join($0, name) }
    }
}
