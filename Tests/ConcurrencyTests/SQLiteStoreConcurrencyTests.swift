import Foundation
import PreferencesRuntime
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesSQLite
@testable import PreferencesSystem

/// Stores of one database that several threads use and observe at the same time.
struct SQLiteStoreConcurrencyTests {
    /// Runs a body with the location of a database that does not exist yet.
    private func withDatabase(_ body: (URL) async throws -> Void) async throws {
        try await withTemporaryDirectory { try await body($0.appending(component: "preferences.sqlite")) }
    }

    private func increment(_ name: String, in store: SQLiteStore) throws {
        try store.update { current in
            guard case .int(let number)? = try current(name) else { return [name: .set(1)] }
            return [name: .set(.int(number + 1))]
        }
    }

    @Test("Concurrent updates by several threads lose nothing")
    func concurrentUpdatesLoseNothing() async throws {
        try await withDatabase { database async throws in
            let stores = [SQLiteStore(url: database), SQLiteStore(url: database)]
            let observations = stores.map { $0.observe { _ in } }
            await runConcurrently(threads: 6) { thread in
                for _ in 0..<30 { try increment("count", in: stores[thread % 2]) }
            }
            for observation in observations { observation.cancel() }
            #expect(try SQLiteStore(url: database).value(for: "count") == 180)
        }
    }

    @Test("Readers see whole batches while other threads write")
    func readersSeeWholeBatches() async throws {
        try await withDatabase { database async throws in
            let store = SQLiteStore(url: database)
            try store.apply(["a": .set(0), "b": .set(0)])
            await runConcurrently(threads: 6) { thread in
                for number in 1...30 {
                    if thread == 0 {
                        try store.apply(["a": .set(.int(Int64(number))), "b": .set(.int(Int64(number)))])
                    } else {
                        guard case .int(let a)? = try store.value(for: "a"),
                            case .int(let b)? = try store.value(for: "b")
                        else {
                            Issue.record("a value is missing")
                            return
                        }
                        // It was read later, so it is not older.
                        #expect(a <= b)
                    }
                }
            }
        }
    }

    @Test("Observers can be added and removed while the database is created and removed")
    func observersChangeWhileTheDatabaseIsRemoved() async throws {
        try await withDatabase { database async throws in
            let store = SQLiteStore(url: database)
            await runConcurrently(threads: 6) { thread in
                for number in 0..<20 {
                    switch thread {
                    case 0:
                        for ending in ["", "-wal", "-shm"] {
                            try? FileManager.default.removeItem(atPath: database.filePath + ending)
                        }
                    case 1: try? Data("broken \(number)".utf8).write(to: database)
                    case 2: try? store.apply(["\(thread)": .set(.int(Int64(number)))])
                    case 3: try? store.reload()
                    default:
                        let observation = store.observe { _ in _ = try? store.value(for: "2") }
                        _ = try? store.names()
                        observation.cancel()
                    }
                }
            }
            try store.apply(["last": .set(1)])
            #expect(try store.value(for: "last") == 1)
        }
    }

    @Test("Releasing stores while others of the same file are created loses nothing")
    func storesAreReleasedWhileOthersAreCreated() async throws {
        try await withDatabase { database async throws in
            await runConcurrently(threads: 6) { thread in
                for _ in 0..<10 { try increment("count", in: SQLiteStore(url: database)) }
            }
            #expect(try SQLiteStore(url: database).value(for: "count") == 60)
        }
    }

    /// Runs a body on another thread, and waits for it.
    private func wait(for body: @escaping @Sendable () -> Void) {
        let done = DispatchSemaphore(value: 0)
        Thread {
            body()
            done.signal()
        }.start()
        done.wait()
    }

    @Test("A first read does not wait for a transaction of another thread", arguments: [false, true])
    func firstReadDoesNotWaitForATransaction(isOfAnotherStore: Bool) async throws {
        try await withDatabase { database async throws in
            let store = SQLiteStore(url: database)
            try store.apply(["a": .set(1)])
            let preferences = Preferences(store: store)
            let other = Preferences(store: isOfAnotherStore ? SQLiteStore(url: database) : store)
            try preferences.transaction { preferences in
                preferences.set(named: "a", to: 2)
                wait {
                    #expect(other.get(named: "a", default: 0) == 1)
                    #expect(other.isSet(named: "a"))
                    #expect(other.resolution(named: "a", as: Int.self).description == database.filePath)
                }
            }
            #expect(other.get(named: "a", default: 0) == 2)
        }
    }

    @Test("Transactions of two databases can each begin to observe the other database")
    func crossedTransactionsCanObserve() async throws {
        try await withDatabase { first async throws in
            try await withDatabase { second async throws in
                let stores = [SQLiteStore(url: first), SQLiteStore(url: second)]
                for store in stores { try store.apply(["a": .set(1)]) }
                let haveBegun = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
                await withTaskGroup { group in
                    for index in 0...1 {
                        group.addTask {
                            await #expect(throws: Never.self) {
                                try await onOwnThread {
                                    try Preferences(store: stores[index]).transaction { preferences in
                                        preferences.set(named: "a", to: 2)
                                        haveBegun[index].signal()
                                        haveBegun[1 - index].wait()
                                        let other = Preferences(store: stores[1 - index])
                                        #expect([1, 2].contains(other.get(named: "a", default: 0)))
                                    }
                                }
                            }
                        }
                    }
                }
                for store in stores { #expect(try store.value(for: "a") == 2) }
            }
        }
    }

    @Test("An external change is notified to an observer that was added while another thread wrote")
    func externalChangeReachesANewObserver() async throws {
        try await withDatabase { database async throws in
            try SQLiteStore(url: database).apply(["a": .set(1)])
            // Two instances for one file are as independent as two processes.
            let (watched, external) = (SQLiteDatabase(path: database.filePath), SQLiteDatabase(path: database.filePath))
            let (changes, continuation) = AsyncStream.makeStream(of: PreferenceStoreChange.self)
            let observation = Locked<PreferenceStoreObservation?>(nil)
            try watched.writing.withLock {
                wait { observation.withLock { $0 = watched.observe(.seconds(10)) { continuation.yield($0) } } }
                try external.apply(["a": .set(2)], by: nil, timeout: .seconds(10))
            }
            #expect(await changes.first { $0 == .everything } == .everything)
            observation.withLock { $0 }?.cancel()
        }
    }
}
