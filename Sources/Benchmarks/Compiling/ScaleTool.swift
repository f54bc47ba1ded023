import Foundation

/// A program that makes something of keys.
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
    /// The inputs that it is run with.
    var inputs: [ScaleInput]
    /// The names of the files that it makes.
    var outputs: [String]
    /// Writes an input into a folder, and gives the arguments with which it is read.
    var write: (_ input: ScaleInput, _ folder: URL) throws -> [String]

    /// The folder that this program was built into, with its modules and the generator.
    static let products = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()

    /// The path of a program of the PATH or of one of some other folders.
    static func find(_ name: String, orIn folders: [String] = []) -> String? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return (path.split(separator: ":").map(String.init) + folders)
            .map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
