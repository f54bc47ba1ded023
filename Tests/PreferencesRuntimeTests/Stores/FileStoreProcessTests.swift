import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesRuntime

/// A file that several processes use at the same time.
struct FileStoreProcessTests {
    private func child(_ arguments: String...) async throws -> CommandLineRun {
        try await CommandLineRun(BuiltWithTests.executable("StoreChild").path, arguments, mergesErrors: true)
    }

    @Test("A value that another process sets is read and notifies")
    func aValueThatAnotherProcessSetsIsReadAndNotifies() async throws {
        try await withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            let store = FileStore(url: url, durability: .immediate)
            let changes = StoreChanges(of: store)
            for number in 1...3 {
                let run = try await child("set", url.filePath, "a", "\(number)")
                #expect(run.succeeded, "\(run.output)")
                #expect(await changes.next() == .names(["a"]))
                #expect(try store.value(for: "a") == .int(Int64(number)))
            }
        }
    }

    @Test("Watchers are notified of a value that another process sets")
    func watchersAreNotifiedOfAValueThatAnotherProcessSets() async throws {
        try await withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            let preferences = Preferences(store: FileStore(url: url, durability: .immediate))
            var changes = preferences.changes(\.launchCount, options: .old).makeAsyncIterator()
            for number in 1...3 {
                let run = try await child("set", url.filePath, "launchCount", "\(number)")
                #expect(run.succeeded, "\(run.output)")
                let change = await changes.next(isolation: #isolation)
                #expect(change == PreferenceChange(old: number - 1, new: number, origin: .external))
                #expect(preferences.launchCount == number)
            }
        }
    }

    @Test("Two processes that increment a value lose no increment")
    func twoProcessesThatCountLoseNothing() async throws {
        try await withFolderInMemory { folder in
            let path = folder.appending(component: "preferences.json").filePath
            try FileStore(url: URL(filePath: path), durability: .immediate).apply(["mine": .set("stays")])
            try await withThrowingTaskGroup { group in
                for _ in 0..<2 { group.addTask { try await child("increment", path, "count", "10000") } }
                // A third process reads continuously, and always finds complete contents.
                group.addTask { try await child("follow", path, "count", "20000") }
                for try await run in group { #expect(run.succeeded, "\(run.output)") }
            }
            let store = FileStore(url: URL(filePath: path), durability: .immediate)
            #expect(try store.value(for: "count") == 20_000)
            #expect(try store.value(for: "mine") == "stays")
        }
    }

    @Test("A transaction is whole or absent when its process is killed")
    func aTransactionIsWholeOrAbsentWhenItsProcessIsKilled() async throws {
        try await withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            var random = SeededRandom(seed: 11)
            var last: Int64 = 0
            for _ in 0..<25 {
                let acknowledged = try await ChildProcess.lastNumber(
                    ofKilled: BuiltWithTests.executable("StoreChild"),
                    ["transact", url.filePath, "count", "1000000"],
                    afterLines: Int.random(in: 1...8, using: &random)
                )
                let store = FileStore(url: url, durability: .immediate)
                guard case .int(let count) = try store.value(for: "count") else {
                    Issue.record("the count is gone")
                    return
                }
                for name in ["a", "b", "c"] { #expect(try store.value(for: name) == .int(count)) }
                // All acknowledged commits are in the file, and at most one more.
                #expect(count >= acknowledged && count <= acknowledged + 1)
                #expect(count > last)
                last = count
            }
        }
    }

    /// Runs a body with a folder in memory if the system has one, so that writes do not wait for a disk.
    private func withFolderInMemory(_ body: (URL) async throws -> Void) async throws {
        let memory = "/dev/shm"
        guard FileManager.default.isWritableFile(atPath: memory) else {
            return try await withTemporaryDirectory(body)
        }
        try await withTemporaryDirectory(in: URL(filePath: memory), body)
    }
}
