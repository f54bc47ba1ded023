import Foundation
import TestSupport
import Testing

/// A temporary folder of a test.
struct Folder {
    let url: URL

    /// Writes a file, and creates its folder if necessary.
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

    /// Returns the sorted names of the files and folders in the folder, or in one of its folders.
    func names(in path: String = "") throws -> [String] {
        let folder = path.isEmpty ? url : url.appending(path: path)
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    /// Returns a text that changes whenever the file is written: its file number and modification date.
    func identity(_ path: String) throws -> String {
        let attributes = try FileManager.default.attributesOfItem(atPath: url.appending(path: path).path)
        let date = attributes[.modificationDate] as? Date
        return "\(attributes[.systemFileNumber] ?? "") \(date?.timeIntervalSinceReferenceDate ?? 0)"
    }

    /// Runs the tool in the folder.
    func run(_ arguments: String..., input: String = "") async throws -> Generator {
        try await Generator(arguments, in: url, input: input)
    }
}

extension Folder {
    /// Runs a shell script in the folder, with the tool in `PATH`.
    func run(shell script: String) async throws -> Generator {
        try await Generator(shell: script, in: url)
    }
}

/// Runs a body with a temporary folder.
func withFolder(
    file: String = #fileID,
    line: Int = #line,
    _ body: (Folder) async throws -> Void
) async throws {
    try await withTemporaryDirectory(file: file, line: line) { try await body(Folder(url: $0)) }
}

/// Schemas for tests.
enum Sample {
    static let weather = schema(#""temperature": { "type": "Double", "default": 21.5 }"#)
    static let animals = schema(#""lion": { "type": "String", "default": "Leo" }"#)
    /// A schema with an error in line 3.
    static let invalid = schema(#""wind": { "type": "Duble", "default": 0 }"#)
    /// A schema with a warning.
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

/// A schema with a key in a host file.
enum Station {
    static let schema = """
        {
          "formatVersion": 1,
          "namespaces": {
            "station": {
              "host": "Station.swift",
              "keys": { "token": { "type": "String?", "access": "fileprivate" }, "name": { "type": "String?" } }
            }
          }
        }

        """
    static let source = "import PreferencesRuntime\n\nlet code = 1\n"
}

/// Runs a body with a folder that contains the schema, and a host file without a region.
func withStation(_ body: (Folder) async throws -> Void) async throws {
    try await withFolder { folder in
        try folder.write(Station.schema, to: "Station.preferences.json")
        try folder.write(Station.source, to: "Sources/Station.swift")
        try await body(folder)
    }
}

/// A run of `preferences-generator` as a process.
struct Generator {
    let status: Int32
    let output: String
    let errors: String

    /// Runs the tool in a folder until it exits.
    init(_ arguments: [String], in folder: URL, input: String = "") async throws {
        let tool = try BuiltWithTests.executable("preferences-generator")
        try self.init(await CommandLineRun(tool.path, arguments, in: folder, input: input))
    }

    /// Runs a shell script in a folder, with the tool in `PATH`.
    init(shell script: String, in folder: URL) async throws {
        let tool = try BuiltWithTests.executable("preferences-generator")
        let path = tool.deletingLastPathComponent().path
        try self.init(await CommandLineRun("bash", ["-c", "PATH=$0:$PATH\n\(script)", path], in: folder))
    }

    private init(_ run: CommandLineRun) throws {
        #expect(!run.wasKilled)
        status = run.status
        // The output must be text for any input.
        output = try #require(String(validating: run.outputBytes, as: UTF8.self))
        errors = try #require(String(validating: run.errorBytes, as: UTF8.self))
    }

    /// The lines of standard error.
    var errorLines: [String] { errors.split(separator: "\n").map(String.init) }
}
