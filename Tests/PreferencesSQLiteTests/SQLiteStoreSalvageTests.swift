import Foundation
import PreferencesRuntime
import PreferencesSQLite
import StoreTestSupport
import TestSupport
import Testing

/// Recovery of entries from damaged databases.
struct SQLiteStoreSalvageTests {
    @Test("Readable entries of a damaged database are kept")
    func readableEntriesOfADamagedDatabaseAreKept() async throws {
        try await withDatabase { database async throws in
            try await database.fill()
            var bytes = try database.bytes()
            // A page in the middle of the table.
            let middle = bytes.count / 2 / 1_024 * 1_024
            bytes.replaceSubrange(middle..<middle + 1_024, with: Data(repeating: 0xA5, count: 1_024))
            try database.write(bytes)
            let store = database.store()
            let refusal = #expect(throws: PreferenceProblem.self) { try store.value(for: "key-1000") }
            #expect(refusal?.code == .storeMalformed)
            #expect(try database.bytes() == bytes)

            let changes = StoreChanges(of: store)
            try store.apply(["new": .set(1)])
            let path = try database.pathSetAside()
            #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
            let names = try store.names()
            #expect(names.contains("key-1000") && names.contains("key-2999") && names.contains("new"))
            // One page of a few dozen entries was lost.
            #expect(names.count > 1_500 && names.count < 2_000)
            let last = try #require(changes.soFar.last)
            guard case .problem(let problem) = last else {
                Issue.record("\(last)")
                return
            }
            #expect(problem.message.contains("it was set aside as \(path), and \(names.count - 1) readable entries"))
            #expect(try await database.shell("PRAGMA integrity_check") == "ok")
        }
    }

    @Test("A table with damaged column names is read by position")
    func damagedColumnNamesAreIgnored() async throws {
        try await withDatabase { database async throws in
            try await database.fill(count: 20)
            var bytes = try database.bytes()
            // SQLite accepts any other name.
            let name = try #require(bytes.firstRange(of: Data(" value)".utf8)))
            bytes[name.lowerBound] ^= 0x80
            try database.write(bytes)
            let store = database.store()
            let reason = "its table is not a store's: no such column: value"
            #expect(throws: database.damage(reason)) { try store.names() }

            let changes = StoreChanges(of: store)
            try store.apply(["new": .set(1)])
            let path = try database.pathSetAside()
            #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
            #expect(changes.soFar == [.everything, .problem(database.setAside(as: path, reason, saved: 20))])
            #expect(try store.value(for: "key-1019") == 19)
            #expect(try store.names().count == 21)
        }
    }

    @Test("An update reads the kept entries of a table with damaged column names")
    func updateReadsATableWithDamagedColumnNames() async throws {
        try await withDatabase { database async throws in
            try await database.fill(count: 20)
            var bytes = try database.bytes()
            bytes[try #require(bytes.firstRange(of: Data(" value)".utf8))).lowerBound] ^= 0x80
            try database.write(bytes)
            let store = database.store()
            try store.update { current throws in
                let number = try #require(try current("key-1019"))
                #expect(number == 19)
                #expect(try current("key-2000") == nil)
                return ["copy": .set(number)]
            }
            #expect(try store.value(for: "copy") == 19)
            #expect(try store.value(for: "key-1019") == 19)
        }
    }

    @Test(
        "Entries behind a damaged header are kept",
        arguments: [
            (0, 0x51, "file is not a database"),
            (16, 0x05, "file is not a database"),
            (18, 6, "its write version is 6, which does not exist"),
            (20, 1, "On tree page 2 cell 0: Extends off end of page"),
            (47, 6, "its format is 6, which does not exist"),
            (59, 3, "database disk image is malformed"),
            (63, 0, "its layout version is 0, which does not exist"),
        ] as [(Int, UInt8, String)]
    )
    func entriesBehindADamagedHeaderAreKept(place: Int, byte: UInt8, reason: String) async throws {
        try await withDatabase { database async throws in
            try await database.fill(count: 20)
            var bytes = try database.bytes()
            bytes[place] = byte
            try database.write(bytes)
            let store = database.store()
            #expect(throws: database.damage(reason)) { try store.value(for: "key-1000") }
            let changes = StoreChanges(of: store)
            try store.apply(["new": .set(1)])
            let path = try database.pathSetAside()
            #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
            #expect(changes.soFar == [.everything, .problem(database.setAside(as: path, reason, saved: 20))])
            #expect(try store.names().count == 21)
            #expect(try store.value(for: "key-1019") == 19)
        }
    }

    @Test(
        "A database with other settings is salvaged as well",
        arguments: ["PRAGMA encoding = 'UTF-16'", ".filectrl reserve_bytes 12", "PRAGMA auto_vacuum = FULL"]
    )
    func databaseWithOtherSettingsIsSalvaged(setting: String) async throws {
        try await withDatabase { database async throws in
            let program = """
                \(setting)\(setting.hasPrefix(".") ? "\nVACUUM;" : ";")
                CREATE TABLE preferences (name TEXT PRIMARY KEY NOT NULL, type TEXT NOT NULL, value) WITHOUT ROWID;
                PRAGMA application_id = \(0x5072_6566);
                PRAGMA user_version = 1;
                """
            let run = try await CommandLineRun(
                "sqlite3",
                ["-batch", database.path],
                input: program,
                mergesErrors: true
            )
            try #require(run.succeeded, "\(run.output)")
            try await database.fill(count: 300)
            var bytes = try database.bytes()
            bytes[63] = 0
            try database.write(bytes)
            let store = database.store()
            try store.apply(["new": .set(1)])
            _ = try database.pathSetAside()
            #expect(try store.names().count == 301)
            #expect(try store.value(for: "key-1299") == 299)
        }
    }

    @Test("Rows beyond a zeroed part of a page are kept")
    func rowsBeyondZerosAreKept() async throws {
        try await withDatabase { database async throws in
            try await database.fill(count: 500)
            let bytes = try database.bytes()
            // Rows are stored from the end of a page, and indexed at its beginning.
            let middle = bytes.count / 2 / 1_024 * 1_024
            var zeros = bytes
            zeros.replaceSubrange(middle + 512..<middle + 1_024, with: Data(count: 512))
            try database.write(zeros)
            let store = database.store()
            try store.apply(["new": .set(1)])
            _ = try database.pathSetAside()
            let names = try store.names()
            #expect(names.contains("key-1000") && names.contains("key-1499"))
            // Half a page of a dozen entries was lost.
            #expect(names.count > 470 && names.count < 501)
        }
    }

    @Test("An update of a damaged database reads its salvaged entries")
    func updateReadsSalvagedEntries() async throws {
        try await withDatabase { database async throws in
            try await database.fill()
            var bytes = try database.bytes()
            let middle = bytes.count / 2 / 1_024 * 1_024
            bytes.replaceSubrange(middle..<middle + 1_024, with: Data(repeating: 0xA5, count: 1_024))
            try database.write(bytes)
            let store = database.store()
            try store.update { current throws in
                #expect(try current("key-1000") == 0)
                #expect(try database.bytes() == bytes)
                return ["key-1001": .set(-1)]
            }
            _ = try database.pathSetAside()
            #expect(try store.value(for: "key-1000") == 0)
            #expect(try store.value(for: "key-1001") == -1)
            #expect(try store.value(for: "key-2999") == 1_999)
        }
    }
}
