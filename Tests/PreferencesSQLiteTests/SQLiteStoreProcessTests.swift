import Foundation
import PreferencesRuntime
import PreferencesSQLite
import TestSupport
import Testing

/// A database that several processes use at the same time.
struct SQLiteStoreProcessTests {
    @Test("Concurrent updates by several processes lose nothing")
    func processesThatUpdateLoseNothing() async throws {
        try await withDatabase { database async throws in
            try await database.child("set", "mine", 7)
            try await withThrowingTaskGroup { group in
                for _ in 0..<2 { group.addTask { try await database.child("increment", "count", 300) } }
                // A third process reads continuously.
                group.addTask { try await database.child("follow", "count", 600) }
                try await group.waitForAll()
            }
            #expect(try database.store().value(for: "count") == 600)
            #expect(try database.store().value(for: "mine") == 7)
        }
    }

    @Test("Processes that set a key at the same time are each notified of all their commits, and of changes alone")
    func processesAreNotifiedOfTheirCommits() async throws {
        try await withDatabase { database async throws in
            try await database.child("set", "count", 0)
            try await withThrowingTaskGroup { group in
                for _ in 0..<3 { group.addTask { try await database.child("watch", "count", 400) } }
                try await group.waitForAll()
            }
        }
    }

    @Test("A transaction is complete or absent after its process was killed")
    func killedTransactionIsWholeOrAbsent() async throws {
        try await withDatabase { database async throws in
            var random = SeededRandom(seed: 11)
            var last: Int64 = 0
            for _ in 0..<10 {
                let acknowledged = try await ChildProcess.lastNumber(
                    ofKilled: BuiltWithTests.executable("StoreChild"),
                    ["transact", database.path, "count", "1000000"],
                    afterLines: Int.random(in: 1...30, using: &random)
                )
                #expect(try await database.shell("PRAGMA integrity_check") == "ok")
                let store = database.store()
                guard case .int(let count)? = try store.value(for: "count") else {
                    Issue.record("the count is missing")
                    return
                }
                for name in ["a", "b", "c"] { #expect(try store.value(for: name) == .int(count)) }
                // All reported commits are there, and at most one more.
                #expect(count >= acknowledged && count <= acknowledged + 1)
                #expect(count > last)
                last = count
            }
        }
    }
}
