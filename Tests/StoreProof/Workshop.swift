import Foundation
import TestSupport

/// What all proofs share: what is asked, the program that they start, and where its files are.
struct Workshop: Sendable {
    let options: Options
    let program: URL
    /// Each round has a folder here.
    let folder: URL

    /// Makes an empty folder, in the place of one of that name.
    func makeFolder(_ name: String) throws -> URL {
        let url = folder.appending(component: name, directoryHint: .isDirectory)
        try Self.empty(url)
        return url
    }

    /// Puts an empty folder in the place of what is there.
    static func empty(_ folder: URL) throws {
        try removeDirectory(folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// Keeps a round's folder as it is now.
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

    /// When nothing more is to be begun.
    func makeDeadline() -> ContinuousClock.Instant? {
        options.seconds.map { .now + .seconds($0) }
    }

    /// As many as the form has.
    func amount(_ short: Int, long: Int) -> Int { options.isLong ? long : short }
}
