import Foundation
import TestSupport

/// A run of `preferences-generator` as a process.
typealias Generator = ToolRun

extension Generator {
    /// Runs the tool in a folder until it exits.
    init(_ arguments: [String], in folder: URL, input: String = "") async throws {
        try await self.init("preferences-generator", arguments, in: folder, input: input)
    }
}

extension Folder {
    /// Runs the tool in the folder.
    func run(_ arguments: String..., input: String = "") async throws -> Generator {
        try await Generator(arguments, in: url, input: input)
    }

    /// Runs a shell script in the folder, with the tool in `PATH`.
    func run(shell script: String) async throws -> Generator {
        try await Generator(shell: script, with: "preferences-generator", in: url)
    }
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
