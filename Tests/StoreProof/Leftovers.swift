import Foundation

/// The temporary files that writers have left in a folder.
enum Leftovers {
    static func count(in folder: URL) throws -> Int {
        guard FileManager.default.fileExists(atPath: folder.path) else { return 0 }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.contains(".tmp-") }
        // SQLite has files of its own beside a database.
        return Set(names.map { $0.replacing(#/-(wal|shm|journal)$/#, with: "") }).count
    }
}
