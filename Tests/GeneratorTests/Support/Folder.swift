import Foundation
import TestSupport

/// A folder of a test's own.
struct Folder {
    let url: URL

    /// Writes a file, and makes the folders that it is to be in.
    func write(_ text: String, to path: String) throws {
        let url = url.appending(path: path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    func read(_ path: String) throws -> String {
        try String(contentsOf: url.appending(path: path), encoding: .utf8)
    }

    func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: url.appending(path: path).path)
    }

    /// The names of the files and folders in it, or in a folder of it.
    func names(in path: String = "") throws -> [String] {
        let folder = path.isEmpty ? url : url.appending(path: path)
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    /// What changes when a file is written, even with the same contents: its number and its time, to the nanosecond.
    func identity(_ path: String) throws -> String {
        let attributes = try FileManager.default.attributesOfItem(atPath: url.appending(path: path).path)
        let date = attributes[.modificationDate] as? Date
        return "\(attributes[.systemFileNumber] ?? "") \(date?.timeIntervalSinceReferenceDate ?? 0)"
    }

    /// Runs the tool in it.
    func run(_ arguments: String..., input: String = "") async throws -> Generator {
        try await Generator(arguments, in: url, input: input)
    }
}

extension Folder {
    /// Runs lines of a shell in it, to which `preferences-generator` is the tool that was built together with the tests.
    func run(shell script: String) async throws -> Generator {
        try await Generator(shell: script, in: url)
    }
}

/// Runs a body with a new folder, and removes it.
func withFolder(
    file: String = #fileID,
    line: Int = #line,
    _ body: (Folder) async throws -> Void
) async throws {
    try await withTemporaryDirectory(file: file, line: line) { try await body(Folder(url: $0)) }
}

/// Schemas that tests need.
enum Sample {
    static let weather = schema(#""temperature": { "type": "Double", "default": 21.5 }"#)
    static let animals = schema(#""lion": { "type": "String", "default": "Leo" }"#)
    /// Line 3, column 23 is at fault.
    static let faulty = schema(#""wind": { "type": "Duble", "default": 0 }"#)
    /// Warned about.
    static let unused = """
        { "formatVersion": 1, "types": { "Unit": { "enum": ["celsius"] } }, "keys": { "sun": { "type": "Int?" } } }

        """

    static func schema(_ keys: String) -> String {
        """
        {
          "formatVersion": 1,
          "keys": { \(keys) }
        }

        """
    }

    static let fault = """
        Faulty.preferences.json:3:32: error: unknown type 'Duble' [unknown-type]
        Faulty.preferences.json:3:32: note: did you mean 'Double'?

        """
    static let warning = "Unused.preferences.json:1:34: warning: no key uses type 'Unit' [unused-type]\n"
}
