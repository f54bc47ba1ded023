import Foundation

/// A program that makes something of a number of keys.
struct ScaleTool {
    var name: String
    /// Where it is; nil where it is not installed.
    var path: String?
    /// Where it is; throws where it is not installed.
    var foundPath: String {
        get throws(Missing) {
            guard let path else { throw Missing(remedy: remedy) }
            return path
        }
    }

    /// What to do to have it.
    var remedy: String
    /// The numbers of keys that it is run with.
    var keyCounts: [Int]
    /// The names of the files that it makes.
    var outputs: [String]
    /// Writes input for a number of keys into a folder, and gives the arguments with which it is read.
    var writeInput: (_ keyCount: Int, _ folder: URL) throws -> [String]

    /// The folder that this program was built into, with its modules and the generator.
    static let products = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()

    /// The sentence that every key is described with, as all are described in earnest.
    static func description(_ key: Int) -> String {
        "How many of the things number \(key) there are at most."
    }

    /// Writes a file piece by piece: what this process holds in memory is counted with what it starts.
    static func write(
        _ url: URL,
        head: String,
        keys: Int,
        separator: String,
        foot: String,
        _ key: (Int) -> String
    ) throws {
        guard FileManager.default.createFile(atPath: url.path, contents: nil) else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: url.path])
        }
        let file = try FileHandle(forWritingTo: url)
        defer { try? file.close() }
        try file.write(contentsOf: Data(head.utf8))
        for start in stride(from: 0, to: keys, by: 500) {
            let piece = (start..<min(start + 500, keys)).map { ($0 == 0 ? "" : separator) + key($0) }
            try file.write(contentsOf: Data(piece.joined().utf8))
        }
        try file.write(contentsOf: Data(foot.utf8))
    }

    /// The path of a program of the PATH or of one of some other folders.
    static func find(_ name: String, orIn folders: [String] = []) -> String? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return (path.split(separator: ":").map(String.init) + folders)
            .map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
