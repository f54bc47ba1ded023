import Foundation
import PreferencesRuntime
import PreferencesSQLite
import TestSupport
import Testing

/// A test database in a temporary folder, with external access.
struct Database {
    let url: URL

    var path: String { url.path(percentEncoded: false) }
    var folder: URL { url.deletingLastPathComponent() }

    func store(busyTimeout: Duration = .seconds(10)) -> SQLiteStore {
        SQLiteStore(url: url, busyTimeout: busyTimeout)
    }

    /// Returns the output of the `sqlite3` program without the last newline.
    @discardableResult
    func shell(_ sql: String) async throws -> String {
        let run = try await CommandLineRun("sqlite3", ["-batch", path, sql], mergesErrors: true)
        try #require(run.succeeded, "\(run.output)")
        return run.output.trimmingCharacters(in: .newlines)
    }

    /// Runs `StoreChild`.
    func child(_ command: String, _ name: String, _ number: Int) async throws {
        let program = try BuiltWithTests.executable("StoreChild").path
        let run = try await CommandLineRun(program, [command, path, name, "\(number)"], mergesErrors: true)
        #expect(run.succeeded, "\(run.output)")
    }

    /// The names in the folder, sorted.
    func filesBeside() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false)).sorted()
    }

    /// The path of the one database that was set aside.
    func pathSetAside() throws -> String {
        let pattern = #/preferences\.sqlite\.corrupt-\d{8}T\d{6}Z(-\d)?/#
        let names = try filesBeside().filter { $0.wholeMatch(of: pattern) != nil }
        try #require(names.count == 1, "\(names)")
        return folder.appending(component: names[0]).path(percentEncoded: false)
    }

    func bytes() throws -> Data { try Data(contentsOf: url) }

    func write(_ bytes: Data) throws {
        let file = try FileHandle(forWritingTo: url)
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: bytes)
        try file.close()
    }
}

/// Runs a body with the location of a database.
func withDatabase<Result>(
    file: String = #fileID,
    line: Int = #line,
    _ body: (Database) async throws -> Result
) async throws -> Result {
    try await withTemporaryDirectory(file: file, line: line) {
        try await body(Database(url: $0.appending(component: "preferences.sqlite")))
    }
}

extension Database {
    /// Creates a database of many entries, checkpointed and unused.
    func fill(count: Int = 2_000) async throws {
        try store().apply(
            PreferenceBatch(
                Dictionary(uniqueKeysWithValues: (0..<count).map { ("key-\($0 + 1_000)", .set(.int(Int64($0)))) })
            )
        )
        #expect(try await shell("PRAGMA wal_checkpoint(TRUNCATE)") == "0|0|0")
    }

    func problem(_ message: String) -> PreferenceProblem {
        PreferenceProblem(.storeMalformed, store: path, message: message)
    }

    /// The problem of reading a damaged database.
    func damage(_ reason: String) -> PreferenceProblem {
        let consequence = "it is left unchanged until the next write, which sets it aside"
        return problem("the database is damaged: \(reason); \(consequence)")
    }

    /// The problem of writing to a damaged database.
    func setAside(as path: String, _ reason: String, saved: Int) -> PreferenceProblem {
        setAside(
            "the database was damaged: \(reason); it was set aside as \(path), "
                + "and \(saved) readable entries were copied to a new one; "
                + "if entries are missing, restore a backup or recover more with the sqlite3 program"
        )
    }

    func setAside(_ message: String) -> PreferenceProblem {
        PreferenceProblem(.setAside, store: path, message: message)
    }
}
