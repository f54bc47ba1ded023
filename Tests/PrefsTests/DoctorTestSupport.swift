import Foundation
import TestSupport
import Testing

/// A run of `prefs doctor`, with `DIR` for the path of the test's folder.
struct Diagnosis {
    let status: Int32
    let lines: [String]
    let errors: String

    init(_ run: Prefs, in folder: Folder) {
        status = run.status
        lines = run.output.replacing(folder.url.path, with: "DIR").split(separator: "\n").map(String.init)
        errors = run.errors.replacing(folder.url.path, with: "DIR")
    }
}

extension Folder {
    func doctor(_ arguments: String...) async throws -> Diagnosis {
        Diagnosis(try await Prefs(["doctor"] + arguments, in: url), in: self)
    }

    /// Runs a script whose output is that of the doctor.
    func doctor(shell script: String) async throws -> Diagnosis {
        Diagnosis(try await run(shell: script), in: self)
    }

    /// Writes a schema, and a file, a database and user defaults with a value each.
    func makeStores() async throws {
        try write(
            """
            { "formatVersion": 1, "namespaces": { "weather": { "keys": {
              "unit": { "type": "String", "default": "celsius" }, "days": { "type": "Int", "default": 3 }
            } } } }
            """,
            to: "Weather.preferences.json"
        )
        let script = """
            export XDG_CONFIG_HOME=$PWD/config
            for store in a.json sqlite:a.sqlite defaults:weather.test; do
              prefs set --schema Weather.preferences.json -s $store weather.unit kelvin
            done
            # A program that ends does not always merge the log.
            sqlite3 a.sqlite 'PRAGMA wal_checkpoint(TRUNCATE)' >/dev/null
            """
        let made = try await run(shell: script)
        try #require(made.status == 0 && made.errors == "")
    }

    func setMode(_ mode: Int, of path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.appending(path: path).path)
    }

    func mode(of path: String) throws -> Int? {
        let attributes = try FileManager.default.attributesOfItem(atPath: url.appending(path: path).path)
        return (attributes[.posixPermissions] as? NSNumber)?.intValue
    }

    func size(of path: String) throws -> Int { try Data(contentsOf: url.appending(path: path)).count }
}

/// Writes files to a folder, and runs the doctor there.
///
/// - Parameter files: The texts of the files, by path.
func diagnosis(
    _ files: [String: String] = [:],
    _ arguments: String...,
    file: String = #fileID,
    line: Int = #line
) async throws -> Diagnosis {
    try await withFolder(file: file, line: line) { folder in
        for (path, text) in files { try folder.write(text, to: path) }
        return Diagnosis(try await Prefs(["doctor"] + arguments, in: folder.url), in: folder)
    }
}

/// Runs a script in a folder of its own. The script's output is that of the doctor.
func diagnosis(shell script: String, file: String = #fileID, line: Int = #line) async throws -> Diagnosis {
    try await withFolder(file: file, line: line) { try await $0.doctor(shell: script) }
}

/// Runs a body with a folder that has the files of ``Folder/makeStores()``.
func withStores(
    file: String = #fileID,
    line: Int = #line,
    _ body: (Folder) async throws -> Void
) async throws {
    try await withFolder(file: file, line: line) { folder in
        try await folder.makeStores()
        try await body(folder)
    }
}
