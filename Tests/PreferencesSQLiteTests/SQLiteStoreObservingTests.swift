import Foundation
import PreferencesRuntime
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesSQLite
@testable import PreferencesSystem

/// Notifications of observers.
struct SQLiteStoreObservingTests {
    @Test("A change notifies observers by name before the call returns")
    func changeNotifiesByNameBeforeReturning() async throws {
        try await withDatabase { database async throws in
            let store = database.store()
            let changes = StoreChanges(of: store)
            try store.apply(["a": .set(1), "b": .set(2)])
            try store.apply(["a": .set(1), "b": .set(3)])
            try store.update { _ in ["a": .remove] }
            #expect(changes.soFar == [.names(["a", "b"]), .names(["b"]), .names(["a"])])
        }
    }

    @Test("Other stores of the file notify their observers at once")
    func otherStoresAreNotifiedAtOnce() async throws {
        try await withDatabase { database async throws in
            let store = database.store()
            let changes = StoreChanges(of: store)
            try database.store().apply(["a": .set(1)])
            #expect(changes.soFar == [.names(["a"])])
        }
    }

    @Test("A network file system is reported once to each observer")
    func networkFileSystemIsReportedOnce() async throws {
        try await withDatabase { database async throws in
            var means = FileWatcher.Mechanism()
            means.findRemoteFileSystem = { _ in RemoteFileSystem(type: 0x6969) }
            let watched = SQLiteDatabase(path: database.path, watching: means)
            let (changes, continuation) = AsyncStream.makeStream(of: PreferenceStoreChange.self)
            let observation = watched.observe(.seconds(10)) { continuation.yield($0) }
            let message =
                "the database is on a network file system (nfs), where SQLite's write-ahead log is not safe: "
                + "programs on two machines can damage it, and do not see each other's changes; keep it on a local disk"
            let problem = PreferenceProblem(.remoteFileSystem, store: database.path, message: message)
            let reported = await changes.first { if case .problem = $0 { true } else { false } }
            #expect(reported == .problem(problem))
            #expect(!watched.isWatchable)

            // Further events do not repeat the report.
            try watched.apply(["a": .set(1)], by: nil, timeout: .seconds(10))
            try watched.refresh(.seconds(10))
            // A later observer receives it as well.
            let (laterChanges, laterContinuation) = AsyncStream.makeStream(of: PreferenceStoreChange.self)
            let later = watched.observe(.seconds(10)) { laterContinuation.yield($0) }
            #expect(await laterChanges.first { _ in true } == .problem(problem))
            later.cancel()
            observation.cancel()
            continuation.finish()
            #expect(await changes.contains { $0 == .problem(problem) } == false)
        }
    }

    @Test("An observer can read and write the store")
    func observersCanReadAndWrite() async throws {
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

    @Test("Changes by another process are read and observed")
    func changesOfAnotherProcessAreObserved() async throws {
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

    @Test("Cached values remain in use after the database is damaged")
    func cachedValuesSurviveDamage() async throws {
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
                    + "it is left unchanged until the next write, which sets it aside"
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

    @Test("Changes made with the sqlite3 program are observed")
    func changesOfTheShellAreObserved() async throws {
        try await withDatabase { database async throws in
            let store = database.store()
            try store.apply(["count": .set(1)])
            let preferences = Preferences(store: store)
            var changes = preferences.changes(\.count, options: .old).makeAsyncIterator()
            for number in 2...4 {
                try await database.shell("UPDATE preferences SET value = \(number)")
                let change = await changes.next(isolation: #isolation)
                #expect(change == PreferenceChange(old: number - 1, new: number, origin: .external))
            }
        }
    }

    @Test("Changes by a program that keeps the database open are observed")
    func changesOfAnOpenConnectionAreObserved() async throws {
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

    @Test("A database that replaces another is read and observed")
    func replacedDatabaseIsReadAndObserved() async throws {
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

    @Test("A removed database is created again by the next write")
    func removedDatabaseIsCreatedAgain() async throws {
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

    @Test("The write that creates a removed database again notifies observers of the lost values")
    func recreatingADatabaseNotifiesOfLostValues() async throws {
        try await withDatabase { database async throws in
            let store = database.store()
            // The watcher may refresh in between, which is rare.
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

    @Test("A cancelled observer is not notified")
    func cancelledObserverIsNotNotified() async throws {
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
