import Foundation
import TestSupport

/// The options, the program and the folder that all proofs share.
struct Workspace: Sendable {
    let options: Options
    let program: URL
    /// The parent of the rounds' folders.
    let folder: URL

    /// Creates an empty folder, and replaces an existing one.
    func makeFolder(_ name: String) throws -> URL {
        let url = folder.appending(component: name, directoryHint: .isDirectory)
        try Self.empty(url)
        return url
    }

    /// Replaces a folder with an empty one.
    static func empty(_ folder: URL) throws {
        try removeDirectory(folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// Copies a round's folder to keep it.
    func keep(_ round: URL, of store: ProvenStore) -> String? {
        let name = "kept-\(store.rawValue)-\(round.lastPathComponent)"
        for number in 1... {
            let target = folder.appending(component: "\(name)-\(number)", directoryHint: .isDirectory)
            if FileManager.default.fileExists(atPath: target.path) { continue }
            do {
                try FileManager.default.copyItem(at: round, to: target)
                return target.path
            } catch {
                FileHandle.standardError.write(Data("cannot keep \(round.path): \(error)\n".utf8))
                return nil
            }
        }
        return nil
    }

    /// Returns the time after which a proof starts nothing more.
    func makeDeadline() -> ContinuousClock.Instant? {
        options.seconds.map { .now + .seconds($0) }
    }

    /// Returns a number for the short or the long form.
    func amount(_ short: Int, long: Int) -> Int { options.isLong ? long : short }
}

/// The temporary files that writers left in a folder.
enum Leftovers {
    static func count(in folder: URL) throws -> Int {
        guard FileManager.default.fileExists(atPath: folder.path) else { return 0 }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.contains(".tmp-") }
        // SQLite has additional files for a database.
        return Set(names.map { $0.replacing(#/-(wal|shm|journal)$/#, with: "") }).count
    }
}
