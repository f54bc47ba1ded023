import Foundation

/// User defaults of a suite that was saved before this process began, as far as Foundation can tell.
struct SuiteFile {
    let name = "swift-preferences-benchmarks-\(UUID().uuidString)"
    private let url: URL

    /// - Parameter file: The property list of its values.
    init(copyOf file: URL) throws {
        url = Self.folder.appending(path: "\(name).plist")
        try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: file, to: url)
    }

    /// Leaves nothing of it behind.
    func remove() {
        try? FileManager.default.removeItem(at: url)
    }

    /// Where Foundation has them on Linux.
    private static var folder: URL {
        if let folder = ProcessInfo.processInfo.environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") {
            return URL(filePath: folder)
        }
        return FileManager.default.homeDirectoryForCurrentUser.appending(path: ".config")
    }
}
