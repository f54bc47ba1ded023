import Foundation
import PreferencesRuntime
import PreferencesSQLite
import TestSupport
import Testing

/// Databases of secrets.
struct SQLiteStoreSecretsTests {
    private func modes(_ database: Database) throws -> [String: Int] {
        let names = try database.filesBeside().filter { !$0.hasPrefix(".") }
        return try names.reduce(into: [:]) { modes, name in
            let path = database.folder.appending(component: name).path(percentEncoded: false)
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
            modes[name] = mode?.intValue
        }
    }

    private func setMode(_ mode: Int, of path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    private func report(_ path: String, in database: Database) -> PreferenceProblem {
        PreferenceProblem(
            .secretsExposed,
            store: database.path,
            message: "other users have access to the secrets in \(path), whose permissions are 0644; "
                + "they were narrowed to 0600; replace secrets that other users may have read"
        )
    }

    @Test("A database of secrets that others can access is narrowed, with its log and index, and reported")
    func exposed() async throws {
        try await withDatabase { database async throws in
            let writer = database.store()
            try writer.apply(["token": .set("hunter2")])
            let paths = ["", "-wal", "-shm"].map { database.path + $0 }
            for path in paths { try setMode(0o644, of: path) }
            let store = database.store()
            let preferences = Preferences(store: MemoryStore(), secrets: store)
            let problems = preferences.problems
            let token = PreferenceReference("token", default: "", [.secret], in: preferences)
            #expect(token.value == "hunter2")
            token.value = "new"
            #expect(try modes(database).values.allSatisfy { $0 == 0o600 })
            var iterator = problems.makeAsyncIterator()
            for path in paths { #expect(await iterator.next() == report(path, in: database)) }
            // A connection is open, and keeps its locks.
            try setMode(0o644, of: database.path)
            token.value = "newer"
            #expect(try modes(database).values.allSatisfy { $0 == 0o600 })
            #expect(await iterator.next() == report(database.path, in: database))
            try await database.child("set", "count", 1)
            #expect(try store.value(for: "count") == 1)
        }
    }

    @Test("Nothing of a row that cannot be read is shown")
    func damagedRow() async throws {
        try await withDatabase { database async throws in
            let store = database.store()
            try store.apply(["token": .set("canary")])
            try await database.shell("UPDATE preferences SET type = 'canary' WHERE name = 'token'")
            let preferences = Preferences(store: MemoryStore(), secrets: store)
            let problems = preferences.problems
            #expect(PreferenceReference("token", default: 0, [.secret], in: preferences).value == 0)
            var iterator = problems.makeAsyncIterator()
            let problem = await iterator.next()
            #expect(problem?.code == .unsupportedValue)
            #expect(problem?.message == "its type in the database is none; its default is used until it is set")
        }
    }
}
