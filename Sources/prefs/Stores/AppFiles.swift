import Foundation
import PreferencesCommandLine
import PreferencesRuntime
import PreferencesSchemaCommands

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

    /// The policies of administrators that the app's program can have as layers.
    var policies: [any PreferenceStore] {
        let files = ManagedStore(forApp: name)
        #if canImport(Darwin)
            return [files] + (UserDefaults(suiteName: name).map { [ManagedStore(defaults: $0)] } ?? [])
        #else
            return [files]
        #endif
    }

    /// Returns the schemas that the app's target has in the package around the current folder; otherwise those that are
    /// installed as `share/NAME/*.preferences.json`.
    ///
    /// - Parameter configuration: The path of their configuration; nil for that of the target.
    /// - Returns: The schemas; nil if there are none.
    /// - Throws: A failure if a place where they may be cannot be read.
    func schemas(_ configuration: String?) throws(Failure) -> SchemaFiles? {
        do throws(FileError) {
            var found: [String] = []
            for path in sources where try Self.hasSchema(path) { found.append(path) }
            for path in installed where found.isEmpty {
                if try Self.hasSchema(path) { found.append(path) }
            }
            let configuration = if let configuration { configuration } else { try self.configuration }
            return found.isEmpty ? nil : SchemaFiles(found, configuration: configuration)
        } catch {
            throw Failure("\(error.message); make it readable, or specify '--schema FILE'", .system)
        }
    }

    /// The failure of a command that requires schemas.
    var missingSchema: Failure {
        Failure(
            "no schema of '\(name)' found; specify '--schema FILE', or run it in the package that declares the target. "
                + "It is looked for in \((sources + installed).joined(separator: ", "))",
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

    /// The places of a target's schemas, as the plugin finds them: its folder, and `Schemas`.
    private var sources: [String] {
        guard let packageFolder else { return [] }
        return ["Sources/\(name)", "Schemas/\(name)", "Schemas/\(name).preferences.json"].map {
            FilePath.join(packageFolder, $0)
        }
    }

    /// Whether a path leads to a schema, or to a folder with one. A link that leads nowhere counts as a schema, which
    /// cannot be read.
    private static func hasSchema(_ path: String) throws(FileError) -> Bool {
        guard try Self.hasEntry(path) else { return false }
        guard FilePath.isFolder(path) else { return true }
        let search = FileSearch(path, suffix: ".preferences.json")
        if let error = search.fileErrors.first { throw error }
        return !search.paths.isEmpty
    }

    /// Whether a file, a folder or a link exists, also one that leads nowhere.
    ///
    /// - Throws: An error if a folder of the path cannot be searched.
    private static func hasEntry(_ path: String) throws(FileError) -> Bool {
        var status = stat()
        if lstat(path, &status) == 0 { return true }
        if errno == ENOENT || errno == ENOTDIR { return false }
        throw FileError(operation: .read, path: path, errno: errno)
    }

    private var configuration: String? {
        get throws(FileError) {
            let paths = sources.map { FilePath.join($0, "preferences-generator-config.json") }
            for path in paths where try Self.hasEntry(path) { return path }
            return nil
        }
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
