import Foundation

/// The temporary files that writers have left in a folder.
enum Leftovers {
    static func count(in folder: URL) throws -> Int {
        guard FileManager.default.fileExists(atPath: folder.path) else { return 0 }
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).count { $0.contains(".tmp-") }
    }
}
