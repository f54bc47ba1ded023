import Foundation
import PreferencesRuntime
import PreferencesSQLite
import Testing

/// The layout of the database, as the `sqlite3` program shows it.
struct SQLiteStoreLayoutTests {
    @Test("Values are stored in human-readable columns")
    func valuesAreStoredInReadableColumns() async throws {
        try await withDatabase { database async throws in
            try database.store().apply([
                "a": .set(.null), "b": .set(true), "c": .set(-7), "d": .set(.unsignedInt(.max)), "e": .set(1.5),
                "f": .set("text"), "g": .set(.data(Data([0, 255]))),
                "h": .set(.date(Date(timeIntervalSinceReferenceDate: 0.5))), "i": .set(["x": [1]]),
                "j": .set(.double(.nan)),
            ])
            let rows = """
                a|null|NULL
                b|bool|1
                c|int|-7
                d|unsigned|'18446744073709551615'
                e|double|1.5
                f|string|'text'
                g|data|X'00FF'
                h|date|'2001-01-01T00:00:00.5Z'
                i|json|'{
                  "x": [
                    1
                  ]
                }'
                j|double|'nan'
                """
            #expect(try await database.shell("SELECT name, type, quote(value) FROM preferences") == rows)
            let identity = try await database.shell("PRAGMA application_id; PRAGMA user_version; PRAGMA journal_mode")
            #expect(identity == "1349674342\n1\nwal")
        }
    }

    @Test("Rows written with the sqlite3 program are read")
    func rowsOfTheShellAreRead() async throws {
        try await withDatabase { database async throws in
            let store = database.store()
            try store.apply(["a": .set(1)])
            try await database.shell(
                """
                INSERT INTO preferences VALUES ('b', 'json', '[1, 2]'), ('c', 'double', 3), ('d', 'date', 60);
                UPDATE preferences SET value = 2 WHERE name = 'a';
                """
            )
            #expect(try store.value(for: "a") == 2)
            #expect(try store.value(for: "b") == [1, 2])
            #expect(try store.value(for: "c") == 3.0)
            #expect(try store.value(for: "d") == .date(Date(timeIntervalSinceReferenceDate: 60)))
        }
    }

    @Test(
        "A row that cannot be read fails alone, and reports why",
        arguments: [
            ("'color', 1", "its type in the database is unknown"),
            ("'int', 'one'", "its value in the database is not of the type \"int\""),
            ("'bool', 2", "its value in the database is not of the type \"bool\""),
            ("'string', CAST(X'FF' AS TEXT)", "its value in the database is not of the type \"string\""),
            ("'json', '{'", "its value in the database is not of the type \"json\""),
            ("'date', 'today'", "its value in the database is not of the type \"date\""),
            ("'null', 0", "its value in the database is not of the type \"null\""),
        ]
    )
    func unreadableRowFailsAlone(columns: String, message: String) async throws {
        try await withDatabase { database async throws in
            let store = database.store()
            try store.apply(["a": .set(1)])
            try await database.shell("INSERT INTO preferences VALUES ('bad', \(columns))")
            let problem = PreferenceProblem(.unsupportedValue, key: "bad", store: database.path, message: message)
            #expect(throws: problem) { try store.value(for: "bad") }
            #expect(try store.value(for: "a") == 1)
            try store.apply(["b": .set(2)])
            #expect(try store.names() == ["a", "b", "bad"])
            #expect(throws: problem) { try store.value(for: "bad") }
            try store.apply(["bad": .set(3)])
            #expect(try store.value(for: "bad") == 3)
        }
    }
}
