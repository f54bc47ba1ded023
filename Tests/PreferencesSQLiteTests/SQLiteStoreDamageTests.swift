import Foundation
import PreferencesRuntime
import PreferencesSQLite
import StoreTestSupport
import TestSupport
import Testing

/// Files that are not what SQLite has written, and databases that are not this store's.
@Suite(.timeLimit(.minutes(5)))
struct SQLiteStoreDamageTests {
    /// A database of many entries, whole in its file and used by nobody.
    private func fill(_ database: Database, count: Int = 2_000) async throws {
        let numbers = 0..<count
        try database.store().apply(
            Dictionary(uniqueKeysWithValues: numbers.map { ("key-\($0 + 1_000)", .set(.int(Int64($0)))) })
        )
        #expect(try await database.shell("PRAGMA wal_checkpoint(TRUNCATE)") == "0|0|0")
    }

    private func problem(_ database: Database, _ message: String) -> PreferenceProblem {
        PreferenceProblem(.storeMalformed, store: database.path, message: message)
    }

    /// A damaged database that was only read.
    private func damage(_ database: Database, _ reason: String) -> PreferenceProblem {
        let consequence = "it is left as it is until the next write, which sets it aside"
        return problem(database, "the database is damaged: \(reason); \(consequence)")
    }

    /// One that was written.
    private func setAside(_ database: Database, as path: String, _ reason: String, saved: Int) -> PreferenceProblem {
        setAside(
            database,
            "the database was damaged: \(reason); it was set aside as \(path), "
                + "and \(saved) entries that could still be read were taken into a new one; "
                + "where that is not all, put a backup in its place, or look with the sqlite3 program for more"
        )
    }

    private func setAside(_ database: Database, _ message: String) -> PreferenceProblem {
        PreferenceProblem(.setAside, store: database.path, message: message)
    }

    @Test func aFileThatIsNoDatabaseIsLeftByReadsAndSetAsideByTheNextWrite() async throws {
        try await withDatabase { database async throws in
            let bytes = Data(String(repeating: "no database at all\n", count: 100).utf8)
            try bytes.write(to: database.url)
            let store = database.store()
            let reason = "file is not a database"
            for _ in 0..<2 { #expect(throws: damage(database, reason)) { try store.value(for: "a") } }
            #expect(try database.bytes() == bytes)

            let changes = StoreChanges(of: store)
            // Nothing was read before, that readers could still be given.
            #expect(changes.soFar == [])
            try store.apply(["a": .set(1)])
            let path = try database.pathSetAside()
            #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
            #expect(changes.soFar == [.everything, .problem(setAside(database, as: path, reason, saved: 0))])
            #expect(try store.value(for: "a") == 1)
        }
    }

    @Test func whatCanStillBeReadOfADamagedDatabaseIsKept() async throws {
        try await withDatabase { database async throws in
            try await fill(database)
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
            // One page of a few dozen was lost.
            #expect(names.count > 1_500 && names.count < 2_000)
            let last = try #require(changes.soFar.last)
            guard case .problem(let problem) = last else {
                Issue.record("\(last)")
                return
            }
            #expect(problem.message.contains("it was set aside as \(path), and \(names.count - 1) entries"))
            #expect(try await database.shell("PRAGMA integrity_check") == "ok")
        }
    }

    @Test(arguments: ["{\"a\": 1}\n", "\n { }", "<?xml version=\"1.0\"?>\n<plist/>", "bplist00"])
    func aFileOfAFileStoreIsNoDamage(text: String) async throws {
        try await withDatabase { database async throws in
            let bytes = Data(text.utf8)
            try bytes.write(to: database.url)
            let store = database.store()
            let message =
                "this is a file of JSON or a property list, as a FileStore has, and no database; it was left as it is, "
                + "give the store another file"
            #expect(throws: problem(database, message)) { try store.value(for: "a") }
            #expect(throws: problem(database, message)) { try store.apply(["a": .set(1)]) }
            #expect(try database.bytes() == bytes)
        }
    }

    @Test func aTableWhoseNamesAreDamagedIsReadByItsPlaces() async throws {
        try await withDatabase { database async throws in
            try await fill(database, count: 20)
            var bytes = try database.bytes()
            // SQLite finds nothing wrong with another name.
            let name = try #require(bytes.firstRange(of: Data(" value)".utf8)))
            bytes[name.lowerBound] ^= 0x80
            try database.write(bytes)
            let store = database.store()
            let reason = "its table is not that of preferences: no such column: value"
            #expect(throws: damage(database, reason)) { try store.names() }

            let changes = StoreChanges(of: store)
            try store.apply(["new": .set(1)])
            let path = try database.pathSetAside()
            #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
            #expect(changes.soFar == [.everything, .problem(setAside(database, as: path, reason, saved: 20))])
            #expect(try store.value(for: "key-1019") == 19)
            #expect(try store.names().count == 21)
        }
    }

    @Test func anUpdateOfATableWhoseNamesAreDamagedReadsWhatIsKeptOfIt() async throws {
        try await withDatabase { database async throws in
            try await fill(database, count: 20)
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
        arguments: [
            (0, 0x51, "file is not a database"),
            (16, 0x05, "file is not a database"),
            (18, 6, "its write version is 6, which there is none of"),
            (20, 1, "On tree page 2 cell 0: Extends off end of page"),
            (47, 6, "its format is 6, which there is none of"),
            (59, 3, "malformed database schema (灲敦敲敮捥)"),
            (63, 0, "its layout is 0, which there has never been"),
        ] as [(Int, UInt8, String)]
    )
    func whatIsBehindADamagedHeaderIsKept(place: Int, byte: UInt8, reason: String) async throws {
        try await withDatabase { database async throws in
            try await fill(database, count: 20)
            var bytes = try database.bytes()
            bytes[place] = byte
            try database.write(bytes)
            let store = database.store()
            #expect(throws: damage(database, reason)) { try store.value(for: "key-1000") }
            let changes = StoreChanges(of: store)
            try store.apply(["new": .set(1)])
            let path = try database.pathSetAside()
            #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
            #expect(changes.soFar == [.everything, .problem(setAside(database, as: path, reason, saved: 20))])
            #expect(try store.names().count == 21)
            #expect(try store.value(for: "key-1019") == 19)
        }
    }

    @Test(arguments: ["PRAGMA encoding = 'UTF-16'", ".filectrl reserve_bytes 12", "PRAGMA auto_vacuum = FULL"])
    func aDatabaseThatPeopleHaveMadeOtherwiseIsSavedToo(setting: String) async throws {
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
            try await fill(database, count: 300)
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

    @Test(arguments: [400, 20_000])
    func aDatabaseOfAnotherProgramThatIsCutOffIsNeverTouched(length: Int) async throws {
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
                + "1349674342); it was left as it is, give the store another file"
            #expect(throws: problem(database, message)) { try store.value(for: "a") }
            #expect(throws: problem(database, message)) { try store.apply(["a": .set(1)]) }
            #expect(try database.bytes() == bytes)
        }
    }

    @Test(arguments: [1, 60, 71, 72, 511])
    func aDatabaseOfLessThanAPageIsDamaged(length: Int) async throws {
        try await withDatabase { database async throws in
            try await fill(database, count: 20)
            try database.write(database.bytes().prefix(length))
            let store = database.store()
            let problem = #expect(throws: PreferenceProblem.self) { try store.value(for: "key-1000") }
            #expect(problem?.message.hasPrefix("the database is damaged: ") == true, "\(problem?.message ?? "")")
            try store.apply(["new": .set(1)])
            #expect(try Data(contentsOf: URL(filePath: database.pathSetAside())).count == length)
            #expect(try store.names() == ["new"])
        }
    }

    @Test func rowsBeyondThoseThatAreZerosAreKept() async throws {
        try await withDatabase { database async throws in
            try await fill(database, count: 500)
            let bytes = try database.bytes()
            // Rows lie in a page from its end, and are found from its beginning.
            let middle = bytes.count / 2 / 1_024 * 1_024
            var zeros = bytes
            zeros.replaceSubrange(middle + 512..<middle + 1_024, with: Data(count: 512))
            try database.write(zeros)
            let store = database.store()
            try store.apply(["new": .set(1)])
            _ = try database.pathSetAside()
            let names = try store.names()
            #expect(names.contains("key-1000") && names.contains("key-1499"))
            // Half a page of a dozen was lost.
            #expect(names.count > 470 && names.count < 501)
        }
    }

    @Test func anUpdateThatChangesNothingLeavesADamagedDatabaseAsItIs() async throws {
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

    @Test func anUpdateOfADamagedDatabaseReadsWhatIsKeptOfIt() async throws {
        try await withDatabase { database async throws in
            try await fill(database)
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

    @Test func aDatabaseThatWasCutOffIsSetAside() async throws {
        try await withDatabase { database async throws in
            // So few that one page leads to all others.
            try await fill(database, count: 500)
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

    @Test func anEmptyFileIsDamaged() async throws {
        try await withDatabase { database async throws in
            try Data().write(to: database.url)
            let store = database.store()
            #expect(throws: damage(database, "the file is empty")) { try store.value(for: "a") }
            try store.apply(["a": .set(1)])
            #expect(try Data(contentsOf: URL(filePath: database.pathSetAside())) == Data())
            #expect(try await database.shell("SELECT name FROM preferences") == "a")
        }
    }

    @Test(.enabled(if: getuid() == 0, "only root may give files away"))
    func theDatabaseThatTakesThePlaceOfADamagedOneHasItsOwnerAndPermissions() async throws {
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

    /// What SQLite has brought into the database stays, whatever becomes of its log, and the store can be written.
    @Test func aDamagedLogHarmsNothingThatIsInTheDatabase() async throws {
        try await withDatabase { database async throws in
            try await fill(database, count: 20)
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

    @Test func anEmptyFileWithALogIsDamaged() async throws {
        try await withDatabase { database async throws in
            try Data().write(to: database.url)
            let log = Data("what has not reached the database yet".utf8)
            try log.write(to: URL(filePath: database.path + "-wal"))
            let store = database.store()
            let reason = "the file is empty, and its log \(database.path)-wal is not"
            #expect(throws: damage(database, reason)) { try store.names() }
            try store.apply(["a": .set(1)])
            #expect(try Data(contentsOf: URL(filePath: database.pathSetAside() + "-wal")) == log)
            #expect(try store.names() == ["a"])
        }
    }

    @Test func theLogOfADatabaseThatHasGoneIsSetAside() async throws {
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
                "the database was gone, and its log still there; that was set aside as \(path), "
                + "and a new database was begun"
            #expect(changes.soFar == [.names(["a"]), .problem(setAside(database, message))])
        }
    }

    @Test func aSecondOneOfTheSameSecondHasANumber() async throws {
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

    @Test func anIndexThatThisProgramCannotReadIsNoDamage() async throws {
        try await withDatabase { database async throws in
            try await fill(database, count: 20)
            try await database.shell(
                """
                CREATE INDEX types ON preferences (type);
                PRAGMA writable_schema = ON;
                UPDATE sqlite_schema SET sql = 'CREATE INDEX types ON preferences (type COLLATE mine)' WHERE name = 'types';
                """
            )
            let bytes = try database.bytes()
            let store = database.store()
            let problem = PreferenceProblem(
                .storeUnwritable,
                store: database.path,
                message: "cannot read \(database.path): no such collation sequence: mine"
            )
            #expect(throws: problem) { try store.apply(["new": .set(1)]) }
            #expect(try database.bytes() == bytes)
        }
    }

    @Test func aDatabaseOfAnotherProgramIsNeverTouched() async throws {
        try await withDatabase { database async throws in
            try await database.shell("CREATE TABLE notes (text); INSERT INTO notes VALUES ('mine')")
            let bytes = try database.bytes()
            let store = database.store()
            let message =
                "this is a database of another program (its application_id is 0, and that of preferences "
                + "1349674342); it was left as it is, give the store another file"
            for _ in 0..<2 {
                #expect(throws: problem(database, message)) { try store.value(for: "a") }
                #expect(throws: problem(database, message)) { try store.apply(["a": .set(1)]) }
            }
            #expect(try database.bytes() == bytes)
        }
    }

    @Test func aDatabaseOfALaterVersionIsNeverTouched() async throws {
        try await withDatabase { database async throws in
            try database.store().apply(["a": .set(1)])
            try await database.shell("PRAGMA user_version = 2")
            let bytes = try database.bytes()
            let store = database.store()
            let message =
                "the database has the layout 2, and this version of the program knows 1 alone; "
                + "it was left as it is, use a newer version of the program"
            #expect(throws: problem(database, message)) { try store.value(for: "a") }
            #expect(throws: problem(database, message)) { try store.apply(["a": .set(1)]) }
            #expect(try database.bytes() == bytes)
        }
    }
}
