import Foundation

/// User defaults of a new suite.
struct TemporaryDefaults {
    let name = "swift-preferences-benchmarks-\(UUID().uuidString)"
    let defaults: UserDefaults

    init() throws {
        guard let defaults = UserDefaults(suiteName: name) else { throw CocoaError(.featureUnsupported) }
        self.defaults = defaults
    }

    /// Removes the suite and its file.
    func remove() {
        defaults.removePersistentDomain(forName: name)
        // On Linux this deletes the file.
        _ = defaults.synchronize()
    }
}

/// The file of a suite of user defaults that this process has not read yet.
struct SuiteFile {
    let name = "swift-preferences-benchmarks-\(UUID().uuidString)"
    private let url: URL

    /// - Parameter file: A property list of the suite's values.
    init(copyOf file: URL) throws {
        url = Self.folder.appending(path: "\(name).plist")
        try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: file, to: url)
    }

    /// Removes the file.
    func remove() {
        try? FileManager.default.removeItem(at: url)
    }

    /// Foundation's folder for user defaults on Linux.
    private static var folder: URL {
        if let folder = ProcessInfo.processInfo.environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") {
            return URL(filePath: folder)
        }
        return FileManager.default.homeDirectoryForCurrentUser.appending(path: ".config")
    }
}
