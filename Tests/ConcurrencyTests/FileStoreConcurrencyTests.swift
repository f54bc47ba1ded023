import Foundation
import StoreTestSupport
import Synchronization
import TestSupport
import Testing

@testable import PreferencesRuntime
@testable import PreferencesSystem

/// Stores of one file, used and watched by many threads at once.
@Suite("File stores used by many threads")
struct FileStoreConcurrencyTests {
    private func withFile(_ body: (URL) async throws -> Void) async throws {
        try await withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            try await body(url)
            // A thread whose task has ended may be the last to release a store, after the folder has been removed.
            try FileStore(url: url).flush()
        }
    }

    private func increment(_ name: String, in store: FileStore) throws {
        try store.update { current in
            guard case .int(let number)? = try current(name) else { return [name: .set(1)] }
            return [name: .set(.int(number + 1))]
        }
    }

    @Test("Threads that increment a counter lose no increment")
    func threadsThatCountLoseNothing() async throws {
        try await withFile { url async throws in
            let stores = [FileStore(url: url), FileStore(url: url)]
            let observations = stores.map { $0.observe { _ in } }
            await runConcurrently(threads: 6) { thread in
                for _ in 0..<30 { try increment("count", in: stores[thread % 2]) }
            }
            for observation in observations { observation.cancel() }
            #expect(try FileStore(url: url).value(for: "count") == 180)
        }
    }

    @Test("A lock knows whether the calling thread holds it")
    func aThreadKnowsThatItHoldsALock() async throws {
        try await withFile { url async throws in
            let path = url.deletingLastPathComponent().appending(component: "lock").path
            await runConcurrently(threads: 6) { _ in
                for _ in 0..<500 {
                    let lock = try FileLock(FolderEntry(following: path), wait: FileLockWait(timeout: .seconds(3_600)))
                    #expect(try FileLock.isHeldByThisThread(FolderEntry(following: path)))
                    _ = consume lock
                }
            }
        }
    }

    @Test("Observers receive the last written value of each name")
    func observersReceiveTheLastValue() async throws {
        try await withFile { url async throws in
            let store = FileStore(url: url)
            let others = FileStore(url: url)
            let known = Locked<[String: PreferenceValue]>([:])
            let changes = StoreChanges(of: store)
            let observation = store.observe { change in
                guard case .names(let names) = change else { return }
                for name in names {
                    // The value is read and recorded under one lock, because two threads may notify of one name.
                    known.withLock { known in
                        guard let value = try? store.value(for: name) else { return }
                        known[name] = value
                    }
                }
            }
            await runConcurrently(threads: 6) { thread in
                for number in 0..<20 {
                    let batch: [String: PreferenceEdit] = ["\(thread)": .set(.int(Int64(number)))]
                    try (thread % 2 == 0 ? store : others).apply(PreferenceBatch(batch))
                    if thread % 3 == 0 { try store.reload() }
                }
            }
            let expected = Dictionary(uniqueKeysWithValues: (0..<6).map { ("\($0)", 19 as PreferenceValue) })
            await changes.wait { known.withLock { $0 } == expected }
            observation.cancel()
        }
    }

    @Test("Observers can be added and removed while the file and its folder are created and removed")
    func observersComeAndGoWhileTheFileChanges() async throws {
        try await withTemporaryDirectory { folder async throws in
            let url = folder.appending(components: "app", "preferences.json")
            let store = FileStore(url: url)
            await runConcurrently(threads: 6) { thread in
                for number in 0..<30 {
                    switch thread {
                    case 0: try? FileManager.default.removeItem(at: url.deletingLastPathComponent())
                    case 1: try? Data("{\"mine\": \(number)}".utf8).write(to: url)
                    case 2: try? store.apply(["\(thread)": .set(.int(Int64(number)))])
                    case 3: try? store.reload()
                    default:
                        let observation = store.observe { _ in _ = try? store.value(for: "mine") }
                        _ = try? store.names()
                        observation.cancel()
                    }
                }
            }
            let changes = StoreChanges(of: store)
            try store.apply(["last": .set(1)])
            try FileStore(url: url).apply(["last": .set(2)])
            await changes.wait { (try? store.value(for: "last")) == 2 }
            // An observer may retain the store for longer than this, and would write after the folder has been removed.
            try store.flush()
        }
    }

    @Test("A thread reads the values that it has written while other threads write")
    func aThreadReadsWhatItHasWrittenWhileOthersWrite() async throws {
        try await withFile { url async throws in
            let store = FileStore(url: url)
            let observation = store.observe { _ in }
            await runConcurrently(threads: 6) { thread in
                for number in 0..<20 {
                    try increment("\(thread)", in: store)
                    let value = try store.value(for: "\(thread)")
                    #expect(value == .int(Int64(number + 1)))
                    let seen = try store.value(for: "0")
                    if case .int(let count)? = seen { #expect(count <= 20) }
                }
            }
            observation.cancel()
        }
    }

    @Test("Closures of updates that write to other files do not deadlock")
    func nestedUpdatesOfTwoFilesDoNotDeadlock() async throws {
        try await withTemporaryDirectory { folder async throws in
            let stores = (0..<6).map { FileStore(url: folder.appending(component: "\($0).json")) }
            let common = FileStore(url: folder.appending(component: "common.json"))
            await runConcurrently(threads: 6) { thread in
                for _ in 0..<20 {
                    try stores[thread].update { _ in
                        try increment("count", in: common)
                        return ["done": .set(true)]
                    }
                }
            }
            #expect(try common.value(for: "count") == 120)
        }
    }

    @Test("A store that is refused in the closure of an update never waits")
    func aStoreThatIsRefusedInAClosureNeverWaits() async throws {
        try await withFile { url async throws in
            let link = url.deletingLastPathComponent().appending(component: "link.json")
            try FileManager.default.createSymbolicLink(atPath: link.filePath, withDestinationPath: "preferences.json")
            let stores = [FileStore(url: url), FileStore(url: link)]
            let refused = Atomic(0)
            await runConcurrently(threads: 6) { thread in
                for _ in 0..<20 {
                    try stores[thread % 2].update { _ in
                        do {
                            try increment("other", in: stores[(thread + 1) % 2])
                        } catch is PreferenceProblem {
                            refused.add(1, ordering: .relaxed)
                        }
                        return [:]
                    }
                }
            }
            #expect(refused.load(ordering: .relaxed) == 120)
        }
    }

    // MARK: - Coalesced writes

    @Test("Values that threads set during a write are written")
    func valuesSetDuringAWriteAreWritten() async throws {
        try await withFile { url async throws in
            let store = FileStore(url: url, durability: .coalesced(milliseconds: 0))
            await runConcurrently(threads: 6) { thread in
                for number in 0..<100 {
                    try store.apply([
                        "\(thread)-\(number)": .set(.int(Int64(number))), "last-\(thread)": .set("\(number)"),
                    ])
                    let isRead = try store.value(for: "last-\(thread)") == .string("\(number)")
                    #expect(isRead)
                    if number % 30 == 0 { try store.flush() }
                }
            }
            try store.flush()
            let names = try FileStore(url: url).names()
            #expect(names.count == 6 * 101)
            let written = try String(contentsOf: url, encoding: .utf8)
            #expect(written.contains("\"last-5\": \"99\""))
        }
    }

    @Test("Stores that are created and released lose no change")
    func storesThatComeAndGoLoseNothing() async throws {
        try await withFile { url async throws in
            await runConcurrently(threads: 6) { thread in
                for number in 0..<30 {
                    let store = FileStore(url: url, durability: .coalesced(milliseconds: number % 3))
                    try store.apply(["\(thread)-\(number)": .set(.int(Int64(number)))])
                }
            }
            let names = try FileStore(url: url).names()
            #expect(names.count == 180)
        }
    }

    @Test("No other thread sets a value between the read and the write of an update")
    func nothingIsSetBetweenWhatAnUpdateReadsAndWrites() async throws {
        try await withFile { url async throws in
            let store = FileStore(url: url, durability: .coalesced(milliseconds: 0))
            await runConcurrently(threads: 6) { thread in
                for number in 0..<30 {
                    if thread < 3 {
                        try increment("count", in: store)
                    } else {
                        // A value that an update has read must not be lost by its write.
                        try store.update { current in ["seen": .set(try current("set") ?? .null)] }
                        try store.apply(["set": .set(.int(Int64(number)))])
                    }
                }
            }
            try store.flush()
            let (count, set) = (try store.value(for: "count"), try store.value(for: "set"))
            #expect(count == 90)
            #expect(set == 29)
        }
    }
}
