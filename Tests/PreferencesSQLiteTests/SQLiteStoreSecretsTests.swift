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

    @Test("A database of secrets that others can access is restricted, with its log and index, and reported")
    func exposedDatabaseIsRestricted() async throws {
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
            // An open connection keeps its locks.
            try setMode(0o644, of: database.path)
            token.value = "newer"
            #expect(try modes(database).values.allSatisfy { $0 == 0o600 })
            #expect(await iterator.next() == report(database.path, in: database))
            try await database.child("set", "count", 1)
            #expect(try store.value(for: "count") == 1)
        }
    }

    @Test("An unreadable row is not shown in messages")
    func unreadableRowIsNotShown() async throws {
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
            #expect(
                problem?.message == "its type in the database is unknown; "
                    + "using its default"
            )
        }
    }

    /// SQL that damages a database, with a canary in each name and value that it leaves there.
    private static let damages = [
        "ALTER TABLE preferences RENAME TO canary",
        "ALTER TABLE preferences RENAME COLUMN value TO canary",
        "DROP TABLE preferences; CREATE VIEW preferences AS SELECT 'canary' AS name, 'canary' AS type, canary() AS value",
        "CREATE TRIGGER canary BEFORE DELETE ON preferences BEGIN SELECT RAISE(ABORT, 'canary'); END",
        "CREATE TABLE canary (a UNIQUE); PRAGMA writable_schema = ON; DELETE FROM sqlite_master WHERE name LIKE '%canary_1'",
        "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = 'CREATE TABLE canary (canary'",
        "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = 'canary'",
        "CREATE INDEX canary ON preferences(value); PRAGMA writable_schema = ON; UPDATE sqlite_master SET rootpage = 2",
    ]

    @Test("A damaged schema is not shown in messages", arguments: damages)
    func damagedSchemaIsNotShown(sql: String) async throws {
        try await withDatabase { database async throws in
            try database.store().apply(["token": .set("canary")])
            // If it is already damaged, the last statement fails.
            let statements = [sql, "INSERT INTO preferences VALUES ('canary', 'string', 'canary')"]
            _ = try await CommandLineRun("sqlite3", ["-batch", database.path] + statements, mergesErrors: true)
            let preferences = Preferences(store: MemoryStore(), secrets: database.store())
            let problems = preferences.problems
            let token = PreferenceReference("token", default: "", [.secret], in: preferences)
            var shown: [String] = []
            func attempt(_ body: () throws -> Void) {
                do { try body() } catch {
                    shown += ["\(error)", String(reflecting: error), error.localizedDescription]
                }
            }
            _ = token.value
            attempt { try preferences.reload() }
            token.value = "new"
            attempt { try preferences.transaction { _ in token.value = "newer" } }
            attempt { try preferences.flush() }
            var iterator = problems.makeAsyncIterator()
            let problem = try #require(await iterator.next())
            #expect(problem.code == .storeMalformed)
            shown += ["\(problem)", String(reflecting: problem)]
            #expect(!shown.contains { $0.contains("canary") })
        }
    }

    private static let endlessQuery =
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x AS name, x AS type, x AS value FROM c"
    private static let endlessView = "DROP TABLE preferences; CREATE VIEW Preferences AS \(endlessQuery)"
    /// An expression that takes minutes.
    private static let slow = "instr(zeroblob(200000000), CAST(CAST(zeroblob(50000000) AS TEXT) || 'a' AS BLOB))"

    private static func remade(_ columns: String, _ options: String = " WITHOUT ROWID") -> String {
        "DROP TABLE preferences; CREATE TABLE preferences (\(columns))\(options)"
    }

    private static let executableSchemas = [
        endlessView,
        """
        CREATE TRIGGER t BEFORE INSERT ON preferences BEGIN
        DELETE FROM preferences WHERE name IN (SELECT name FROM (\(endlessQuery))); END
        """,
        "CREATE VIRTUAL TABLE v USING fts5(name, type, value)",
        "CREATE TABLE other (a)",
        "DELETE FROM preferences; CREATE INDEX i ON preferences(value) WHERE \(slow)",
        "CREATE TABLE other (a, CHECK (\(slow) = 0))",
        remade("name TEXT PRIMARY KEY NOT NULL, type TEXT NOT NULL, value, CHECK (\(slow) = 0)"),
        remade("name TEXT PRIMARY KEY NOT NULL, type TEXT NOT NULL, value AS (\(slow))"),
        remade("name TEXT PRIMARY KEY NOT NULL, type TEXT NOT NULL, value UNIQUE"),
        remade("name TEXT PRIMARY KEY NOT NULL COLLATE NOCASE, type TEXT NOT NULL, value"),
        remade("name TEXT PRIMARY KEY NOT NULL, type TEXT NOT NULL, value", ""),
    ]

    @Test("A database that would run SQL of its own is neither read nor changed", arguments: executableSchemas)
    func databaseWithExecutableSchemaIsRejected(sql: String) async throws {
        try await withDatabase { database async throws in
            try database.store().apply(["token": .set("x")])
            try await database.shell(sql)
            let bytes = try database.bytes()
            let store = database.store()
            for use in [{ _ = try store.names() }, { try store.apply(["token": .set("new")]) }] as [() throws -> Void] {
                let problem = #expect(throws: PreferenceProblem.self) { try use() }
                #expect(problem?.code == .storeMalformed)
                #expect(
                    problem?.message.hasPrefix(
                        "the database contains more than a store's table, or a different table: "
                    ) == true
                )
            }
            #expect(try database.bytes() == bytes)
        }
    }

    @Test(
        "A damaged database that would run SQL of its own is set aside, and nothing is taken from it",
        arguments: [
            "PRAGMA user_version = 0",
            "PRAGMA writable_schema = ON; UPDATE sqlite_master SET name = 'a', tbl_name = 'a', type = 'table'",
        ]
    )
    func damagedDatabaseRunsNoSQL(sql: String) async throws {
        try await withDatabase { database async throws in
            try database.store().apply(["token": .set("x")])
            try await database.shell("\(Self.endlessView); \(sql)")
            let bytes = try database.bytes()
            let store = database.store()
            let problem = #expect(throws: PreferenceProblem.self) { try store.names() }
            #expect(problem?.code == .storeMalformed)
            try store.apply(["new": .set(1)])
            #expect(try store.names() == ["new"])
            #expect(try Data(contentsOf: URL(filePath: database.pathSetAside())) == bytes)
        }
    }
}
