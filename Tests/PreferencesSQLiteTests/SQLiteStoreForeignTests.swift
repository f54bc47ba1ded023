import Foundation
import PreferencesRuntime
import PreferencesSQLite
import Testing

/// Intact files that a store must not use.
struct SQLiteStoreForeignTests {
    @Test(
        "A file of a FileStore is not taken for a damaged database",
        arguments: ["{\"a\": 1}\n", "\n { }", "<?xml version=\"1.0\"?>\n<plist/>", "bplist00"]
    )
    func fileOfAFileStoreIsLeftUnchanged(text: String) async throws {
        try await withDatabase { database async throws in
            let bytes = Data(text.utf8)
            try bytes.write(to: database.url)
            let store = database.store()
            let message =
                "this is a file of JSON or a property list, as a FileStore has, and no database; it was left unchanged, "
                + "give the store another file"
            #expect(throws: database.problem(message)) { try store.value(for: "a") }
            #expect(throws: database.problem(message)) { try store.apply(["a": .set(1)]) }
            #expect(try database.bytes() == bytes)
        }
    }

    @Test("A truncated database of another program is left unchanged", arguments: [400, 20_000])
    func truncatedForeignDatabaseIsLeftUnchanged(length: Int) async throws {
        try await withDatabase { database async throws in
            try await database.shell("PRAGMA application_id = 77; CREATE TABLE notes (text)")
            try await database.shell(
                "INSERT INTO notes SELECT hex(randomblob(500)) FROM generate_series(1, 100)"
            )
            let bytes = try database.bytes().prefix(length)
            try #require(bytes.count == length)
            try database.write(bytes)
            let store = database.store()
            let message =
                "this is a database of another program (its application_id is 77, and that of preferences "
                + "1349674342); it was left unchanged, give the store another file"
            #expect(throws: database.problem(message)) { try store.value(for: "a") }
            #expect(throws: database.problem(message)) { try store.apply(["a": .set(1)]) }
            #expect(try database.bytes() == bytes)
        }
    }

    @Test("An index with an unsupported function makes a database foreign, not damaged")
    func unreadableIndexIsNoDamage() async throws {
        try await withDatabase { database async throws in
            try await database.fill(count: 20)
            try await database.shell(
                """
                CREATE INDEX types ON preferences (type);
                PRAGMA writable_schema = ON;
                UPDATE sqlite_schema SET sql = 'CREATE INDEX types ON preferences (type COLLATE mine)' WHERE name = 'types';
                """
            )
            let bytes = try database.bytes()
            let store = database.store()
            let message =
                "the database contains more than a store's table, or a different table: an index, a view, a trigger or a "
                + "constraint could run SQL of the file; it was left unchanged, remove these or give the store another file"
            #expect(throws: database.problem(message)) { try store.apply(["new": .set(1)]) }
            #expect(try database.bytes() == bytes)
        }
    }

    @Test("A database of another program is left unchanged")
    func foreignDatabaseIsLeftUnchanged() async throws {
        try await withDatabase { database async throws in
            try await database.shell("CREATE TABLE notes (text); INSERT INTO notes VALUES ('mine')")
            let bytes = try database.bytes()
            let store = database.store()
            let message =
                "this is a database of another program (its application_id is 0, and that of preferences "
                + "1349674342); it was left unchanged, give the store another file"
            for _ in 0..<2 {
                #expect(throws: database.problem(message)) { try store.value(for: "a") }
                #expect(throws: database.problem(message)) { try store.apply(["a": .set(1)]) }
            }
            #expect(try database.bytes() == bytes)
        }
    }

    @Test("A database of a later version is left unchanged")
    func databaseOfALaterVersionIsLeftUnchanged() async throws {
        try await withDatabase { database async throws in
            try database.store().apply(["a": .set(1)])
            try await database.shell("PRAGMA user_version = 2")
            let bytes = try database.bytes()
            let store = database.store()
            let message =
                "the database has the layout version 2, and this version of the program supports only 1; "
                + "it was left unchanged, use a newer version of the program"
            #expect(throws: database.problem(message)) { try store.value(for: "a") }
            #expect(throws: database.problem(message)) { try store.apply(["a": .set(1)]) }
            #expect(try database.bytes() == bytes)
        }
    }
}
