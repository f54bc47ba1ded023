import Foundation
import PreferencesRuntime
import PreferencesSQLite
import StoreTestSupport
import Testing

/// Damaged databases.
struct SQLiteStoreDamageTests {
    @Test("Reads leave a file that is not a database unchanged, and the next write sets it aside")
    func fileThatIsNoDatabaseIsSetAside() async throws {
        try await withDatabase { database async throws in
            let bytes = Data(String(repeating: "no database at all\n", count: 100).utf8)
            try bytes.write(to: database.url)
            let store = database.store()
            let reason = "file is not a database"
            for _ in 0..<2 { #expect(throws: database.damage(reason)) { try store.value(for: "a") } }
            #expect(try database.bytes() == bytes)

            let changes = StoreChanges(of: store)
            // Nothing is cached that could still be read.
            #expect(changes.soFar == [])
            try store.apply(["a": .set(1)])
            let path = try database.pathSetAside()
            #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
            #expect(changes.soFar == [.everything, .problem(database.setAside(as: path, reason, saved: 0))])
            #expect(try store.value(for: "a") == 1)
        }
    }

    @Test("A database shorter than a page is damaged", arguments: [1, 60, 71, 72, 511])
    func databaseShorterThanAPageIsDamaged(length: Int) async throws {
        try await withDatabase { database async throws in
            try await database.fill(count: 20)
            try database.write(database.bytes().prefix(length))
            let store = database.store()
            let problem = #expect(throws: PreferenceProblem.self) { try store.value(for: "key-1000") }
            #expect(problem?.message.hasPrefix("the database is damaged: ") == true, "\(problem?.message ?? "")")
            try store.apply(["new": .set(1)])
            #expect(try Data(contentsOf: URL(filePath: database.pathSetAside())).count == length)
            #expect(try store.names() == ["new"])
        }
    }

    @Test("An update that changes nothing leaves a damaged database unchanged")
    func emptyUpdateLeavesADamagedDatabase() async throws {
        try await withDatabase { database async throws in
            let bytes = Data(String(repeating: "no database at all\n", count: 100).utf8)
            try bytes.write(to: database.url)
            let store = database.store()
            try store.update { current throws in
                #expect(try current("a") == nil)
                return [:]
            }
            #expect(try database.bytes() == bytes)
            #expect(try database.filesBeside() == [".preferences.sqlite.lock", "preferences.sqlite"])
        }
    }

    @Test("A truncated database is set aside")
    func truncatedDatabaseIsSetAside() async throws {
        try await withDatabase { database async throws in
            // So few entries that one page refers to all others.
            try await database.fill(count: 500)
            let bytes = try database.bytes()
            try database.write(bytes.prefix(bytes.count / 2 / 1_024 * 1_024 + 100))
            let store = database.store()
            let problem = #expect(throws: PreferenceProblem.self) { try store.value(for: "key-1000") }
            #expect(problem?.code == .storeMalformed)
            try store.apply(["new": .set(1)])
            _ = try database.pathSetAside()
            #expect(try store.value(for: "new") == 1)
            #expect(try store.value(for: "key-1000") == 0)
            #expect(try await database.shell("PRAGMA integrity_check") == "ok")
        }
    }

    @Test("An empty file is a damaged database")
    func emptyFileIsDamaged() async throws {
        try await withDatabase { database async throws in
            try Data().write(to: database.url)
            let store = database.store()
            #expect(throws: database.damage("the file is empty")) { try store.value(for: "a") }
            try store.apply(["a": .set(1)])
            #expect(try Data(contentsOf: URL(filePath: database.pathSetAside())) == Data())
            #expect(try await database.shell("SELECT name FROM preferences") == "a")
        }
    }

    @Test(
        "The database that replaces a damaged one has the same owner and permissions",
        .enabled(if: getuid() == 0, "only root may give files away")
    )
    func replacementKeepsOwnerAndPermissions() async throws {
        try await withDatabase { database async throws in
            try Data("no database at all".utf8).write(to: database.url)
            try #require(chown(database.path, 12_345, 23_456) == 0)
            try #require(chmod(database.path, 0o640) == 0)
            try database.store().apply(["a": .set(1)])
            _ = try database.pathSetAside()
            let attributes = try FileManager.default.attributesOfItem(atPath: database.path)
            #expect(attributes[.ownerAccountID] as? Int == 12_345)
            #expect(attributes[.groupOwnerAccountID] as? Int == 23_456)
            #expect(attributes[.posixPermissions] as? Int == 0o640)
        }
    }

    /// Checkpointed data remains, and the store stays writable, whatever happens to the log.
    @Test("A damaged log does not affect the contents of the database file")
    func damagedLogLeavesTheDatabaseIntact() async throws {
        try await withDatabase { database async throws in
            try await database.fill(count: 20)
            let store = database.store()
            for number in 0..<20 { try store.apply(["later": .set(.int(Int64(number)))]) }
            let log = try Data(contentsOf: URL(filePath: database.path + "-wal"))
            let file = try database.bytes()
            try #require(log.count > 10_000)

            var damaged = [Data("garbage".utf8), Data(count: log.count), Data(log.dropFirst())]
            damaged += stride(from: 0, to: log.count, by: 977).map { log.prefix($0) }
            damaged += stride(from: 0, to: log.count, by: 977).map { offset in
                var log = log
                log[offset] ^= 0x10
                return log
            }
            for (number, damaged) in damaged.enumerated() {
                let copy = Database(url: database.folder.appending(components: "\(number)", "copy.sqlite"))
                try FileManager.default.createDirectory(at: copy.folder, withIntermediateDirectories: false)
                try file.write(to: copy.url)
                try damaged.write(to: URL(filePath: copy.path + "-wal"))
                let store = copy.store()
                for key in 0..<20 { #expect(try store.value(for: "key-\(key + 1_000)") == .int(Int64(key))) }
                try store.apply(["new": .set(1)])
                #expect(try copy.store().value(for: "new") == 1)
            }
            withExtendedLifetime(store) {}
        }
    }

    @Test("An empty file with a log is damaged, and is set aside with its log")
    func emptyFileWithALogIsDamaged() async throws {
        try await withDatabase { database async throws in
            try Data().write(to: database.url)
            let log = Data("what has not reached the database yet".utf8)
            try log.write(to: URL(filePath: database.path + "-wal"))
            let store = database.store()
            let reason = "the file is empty, and its log \(database.path)-wal is not"
            #expect(throws: database.damage(reason)) { try store.names() }
            try store.apply(["a": .set(1)])
            #expect(try Data(contentsOf: URL(filePath: database.pathSetAside() + "-wal")) == log)
            #expect(try store.names() == ["a"])
        }
    }

    @Test("The log of a missing database is set aside")
    func logOfAMissingDatabaseIsSetAside() async throws {
        try await withDatabase { database async throws in
            let log = Data("what has not reached the database yet".utf8)
            try log.write(to: URL(filePath: database.path + "-wal"))
            let store = database.store()
            let changes = StoreChanges(of: store)
            #expect(try store.names() == [])
            try store.apply(["a": .set(1)])
            let names = try database.filesBeside().filter { $0.contains(".corrupt-") && $0.hasSuffix("-wal") }
            let path = database.folder.appending(component: try #require(names.first)).path
            #expect(try Data(contentsOf: URL(filePath: path)) == log)
            let message =
                "the database was missing, but its log was not; the log was set aside as \(path), "
                + "and a new database was begun"
            #expect(changes.soFar == [.names(["a"]), .problem(database.setAside(message))])
        }
    }

    @Test("The second database that is set aside within a second gets a number")
    func quarantineNamesAreNumbered() async throws {
        try await withDatabase { database async throws in
            let store = database.store()
            for number in 1...3 {
                try Data("broken \(number)".utf8).write(to: database.url, options: .atomic)
                try store.apply(["a": .set(.int(Int64(number)))])
            }
            let texts = try database.filesBeside().filter { $0.contains(".corrupt-") && !$0.contains("-wal") }
                .filter { !$0.contains("-shm") }
                .map { try String(contentsOf: database.folder.appending(component: $0), encoding: .utf8) }
            #expect(Set(texts) == ["broken 1", "broken 2", "broken 3"])
        }
    }
}
