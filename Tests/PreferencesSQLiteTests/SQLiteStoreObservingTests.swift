import Foundation
import PreferencesRuntime
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesSQLite
@testable import PreferencesSystem

/// What observers are told.
struct SQLiteStoreObservingTests {
    @Test func aChangeIsToldByNameBeforeTheCallReturns() async throws {
        try await withDatabase { database async throws in
            let store = database.store()
            let changes = StoreChanges(of: store)
            try store.apply(["a": .set(1), "b": .set(2)])
            try store.apply(["a": .set(1), "b": .set(3)])
            try store.update { _ in ["a": .remove] }
            #expect(changes.soFar == [.names(["a", "b"]), .names(["b"]), .names(["a"])])
        }
    }

    @Test func anotherStoreOfTheFileIsToldAtOnce() async throws {
        try await withDatabase { database async throws in
            let store = database.store()
            let changes = StoreChanges(of: store)
            try database.store().apply(["a": .set(1)])
            #expect(changes.soFar == [.names(["a"])])
        }
    }

    @Test func onANetworkFileSystemThatIsSaidOnce() async throws {
        try await withDatabase { database async throws in
            var means = FileWatcher.Means()
            means.findFileSystem = { _ in RemoteFileSystem(type: 0x6969) }
            let watched = SQLiteDatabase(path: database.path, watching: means)
            let (changes, continuation) = AsyncStream.makeStream(of: PreferenceStoreChange.self)
            let observation = watched.observe(.seconds(10)) { continuation.yield($0) }
            let message =
                "the database is on a network file system (nfs), where the log that SQLite keeps is not safe: "
                + "programs on two machines can damage it, and hear nothing of each other; keep it on a local disk"
            let problem = PreferenceProblem(.remoteFileSystem, store: database.path, message: message)
            let told = await changes.first { if case .problem = $0 { true } else { false } }
            #expect(told == .problem(problem))
            #expect(!watched.isWatchable)

            // More happens there, and it is no news.
            try watched.apply(["a": .set(1)], by: nil, timeout: .seconds(10))
            try watched.look(.seconds(10))
            // Who comes later has not heard of it.
            let (news, teller) = AsyncStream.makeStream(of: PreferenceStoreChange.self)
            let later = watched.observe(.seconds(10)) { teller.yield($0) }
            #expect(await news.first { _ in true } == .problem(problem))
            later.cancel()
            observation.cancel()
            continuation.finish()
            #expect(await changes.contains { $0 == .problem(problem) } == false)
        }
    }

    @Test func anObserverMayReadAndWrite() async throws {
        try await withDatabase { database async throws in
            let store = database.store()
            let observation = store.observe { change in
                guard change == .names(["a"]) else { return }
                #expect(throws: Never.self) {
                    let value = try store.value(for: "a")
                    try store.apply(["b": .set(value ?? 0)])
                }
            }
            try store.apply(["a": .set(1)])
            #expect(try store.value(for: "b") == 1)
            observation.cancel()
        }
    }

    @Test func whatAnotherProcessSetsIsReadAndTold() async throws {
        try await withDatabase { database async throws in
            let store = database.store()
            let changes = StoreChanges(of: store)
            for number in 1...3 {
                try await database.child("set", "a", number)
                await changes.wait { changes.soFar.count >= number }
                #expect(try store.value(for: "a") == .int(Int64(number)))
            }
            #expect(Set(changes.soFar) == [.everything])
        }
    }

    @Test func whatWasReadBeforeADatabaseWasDamagedIsUsedOn() async throws {
        try await withDatabase { database async throws in
            let store = database.store()
            let changes = StoreChanges(of: store)
            let preferences = Preferences(store: store)
            preferences.count = 5
            try Data("garbage".utf8).write(to: database.url, options: .atomic)
            let problem = PreferenceProblem(
                .storeMalformed,
                store: database.path,
                message: "the database is damaged: file is not a database; "
                    + "it is left as it is until the next write, which sets it aside"
            )
            await changes.wait { changes.soFar.contains(.unreadable(problem)) }
            #expect(throws: problem) { try store.value(for: "count") }
            #expect(preferences.count == 5)
            preferences.count = 6
            #expect(preferences.count == 6)
            #expect(try database.store().value(for: "count") == 6)
            #expect(try Data(contentsOf: URL(filePath: database.pathSetAside())) == Data("garbage".utf8))
        }
    }

    @Test func watchersHearOfWhatTheShellSets() async throws {
        try await withDatabase { database async throws in
            let store = database.store()
            try store.apply(["count": .set(1)])
            let preferences = Preferences(store: store)
            var changes = preferences.changes(\.count, options: .old).makeAsyncIterator()
            for number in 2...4 {
                try await database.shell("UPDATE preferences SET value = \(number)")
                let change = await changes.next(isolation: #isolation)
                #expect(change == PreferenceChange(old: number - 1, new: number))
            }
        }
    }

    @Test func aProgramThatKeepsTheDatabaseOpenIsHeardToo() async throws {
        try await withDatabase { database async throws in
            let store = database.store()
            try store.apply(["a": .set(1)])
            let changes = StoreChanges(of: store)
            let program = try ChildProcess("sqlite3", [database.path], input: .pipe)
            try program.input.write(contentsOf: Data("UPDATE preferences SET value = 2;\n".utf8))
            await changes.wait { changes.soFar.contains(.everything) }
            #expect(try store.value(for: "a") == 2)
            try program.input.close()
            _ = await program.ending
        }
    }

    @Test func aDatabaseInThePlaceOfAnotherIsReadAndTold() async throws {
        try await withDatabase { database async throws in
            let store = database.store()
            try store.apply(["a": .set(1)])
            let other = Database(url: database.folder.appending(component: "other.sqlite"))
            try await other.child("set", "a", 2)
            let changes = StoreChanges(of: store)
            try FileManager.default.removeItem(atPath: database.path + "-wal")
            #expect(rename(other.path, database.path) == 0)
            await changes.wait { changes.soFar.contains(.everything) }
            #expect(try store.value(for: "a") == 2)
            try store.apply(["b": .set(3)])
            #expect(try await database.shell("SELECT name, value FROM preferences") == "a|2\nb|3")
        }
    }

    @Test func aDatabaseThatIsRemovedIsBegunAnew() async throws {
        try await withDatabase { database async throws in
            let store = database.store()
            try store.apply(["a": .set(1)])
            let changes = StoreChanges(of: store)
            for ending in ["", "-wal", "-shm"] { try FileManager.default.removeItem(atPath: database.path + ending) }
            await changes.wait { changes.soFar.contains(.everything) }
            #expect(try store.value(for: "a") == nil)
            try store.apply(["b": .set(2)])
            #expect(try await database.shell("SELECT name, value FROM preferences") == "b|2")
        }
    }

    @Test func whatHasVanishedWithADatabaseIsToldByTheWriteThatBeginsItAnew() async throws {
        try await withDatabase { database async throws in
            let store = database.store()
            // The watcher may look in between, which it does seldom.
            for _ in 0..<10 {
                try store.apply(["a": .set(1)])
                let changes = StoreChanges(of: store)
                for ending in ["", "-wal", "-shm"] {
                    try FileManager.default.removeItem(atPath: database.path + ending)
                }
                try store.apply(["b": .set(2)])
                await changes.wait { changes.soFar.contains(.everything) }
                #expect(try store.names() == ["b"])
            }
        }
    }

    @Test func nothingIsToldAfterCancelling() async throws {
        try await withDatabase { database async throws in
            let store = database.store()
            let changes = StoreChanges(of: store)
            changes.cancel()
            try store.apply(["a": .set(1)])
            #expect(changes.soFar == [])
        }
    }
}

extension Preferences {
    fileprivate var count: Int {
        get { get("count", default: 0) }
        set { set("count", to: newValue) }
    }
}
