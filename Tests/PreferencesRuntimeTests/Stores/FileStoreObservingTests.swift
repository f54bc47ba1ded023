import Foundation
import StoreTestSupport
import Synchronization
import TestSupport
import Testing

@testable import PreferencesRuntime
@testable import PreferencesSystem

/// Notifications of observers about changes through the store.
struct FileStoreObservingTests {
    private func withStore(_ text: String? = nil, _ body: (FileStore, URL) throws -> Void) throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            if let text { try url.write(text) }
            try body(FileStore(url: url, durability: .immediate), url)
        }
    }

    @Test("Observers are notified of the changed names before the call returns")
    func observersAreNotifiedOfTheChangedNamesBeforeTheCallReturns() throws {
        try withStore("{\"a\": 1, \"b\": 1}") { store, _ in
            let changes = StoreChanges(of: store)
            try store.apply(["a": .set(1), "b": .set(2), "c": .set(3), "d": .remove])
            #expect(changes.soFar == [.names(["b", "c"])])
            try store.update { _ in ["b": .remove] }
            #expect(changes.soFar == [.names(["b", "c"]), .names(["b"])])
        }
    }

    /// The file already has the value, and is not written. Readers have received another value in the meantime.
    @Test("A value that is restored before it is written notifies")
    func aValueThatIsRestoredBeforeItIsWrittenNotifies() throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            try url.write("{\"a\": 1, \"b\": 1}")
            let store = FileStore.patient(url)
            let changes = StoreChanges(of: store)
            try store.apply(["a": .set(2), "b": .set(2), "c": .set(2)])
            try store.update { _ in ["a": .set(1), "b": .set(1), "c": .remove] }
            #expect(changes.soFar == [.names(["a", "b", "c"]), .names(["a", "b", "c"])])
            #expect(try store.value(for: "a") == 1)
        }
    }

    @Test("An edit that changes nothing does not notify")
    func anEditThatChangesNothingDoesNotNotify() throws {
        try withStore("{\"a\": 1}") { store, _ in
            let changes = StoreChanges(of: store)
            try store.apply(["a": .set(1), "b": .remove])
            try store.update { _ in [:] }
            try store.reload()
            #expect(throws: PreferenceProblem.self) { try store.apply(["a": .set(2), "b": .set(tooDeep)]) }
            #expect(changes.soFar.isEmpty)
        }
    }

    @Test("A cancelled observer is not notified")
    func aCancelledObserverIsNotNotified() throws {
        try withStore { store, _ in
            let changes = StoreChanges(of: store)
            let others = StoreChanges(of: store)
            changes.cancel()
            try store.apply(["a": .set(1)])
            #expect(changes.soFar.isEmpty)
            #expect(others.soFar == [.names(["a"])])
        }
    }

    @Test("An observer reads the value it is notified of")
    func anObserverReadsTheValueItIsNotifiedOf() throws {
        try withStore { store, _ in
            let seen = Mutex<[PreferenceValue?]>([])
            let observation = store.observe { _ in
                let value = try? store.value(for: "a")
                seen.withLock { $0.append(value) }
            }
            defer { observation.cancel() }
            try store.apply(["a": .set(1)])
            try store.apply(["a": .set(2)])
            #expect(seen.withLock { $0 } == [1, 2])
        }
    }

    @Test("Edits in the closure of an update notify")
    func editsInTheClosureOfAnUpdateNotify() throws {
        try withStore { store, _ in
            let changes = StoreChanges(of: store)
            try store.update { _ in
                try store.apply(["a": .set(1)])
                #expect(changes.soFar == [.names(["a"])])
                return ["b": .set(1)]
            }
            #expect(changes.soFar == [.names(["a"]), .names(["b"])])
        }
    }

    @Test("No lock is held while an observer runs")
    func noLockIsHeldWhileAnObserverRuns() throws {
        try withStore { store, url in
            let isFirst = Atomic(true)
            let observation = store.observe { _ in
                guard isFirst.exchange(false, ordering: .relaxed) else { return }
                // Other threads and stores read and write before the observer returns.
                let isDone = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                    #expect(throws: Never.self) {
                        try store.apply(["b": .set(1)])
                        try FileStore(url: url, durability: .immediate).apply(["c": .set(1)])
                        try store.update { _ in ["d": .set(1)] }
                        try store.reload()
                        StoreChanges(of: store).cancel()
                    }
                    isDone.signal()
                }
                isDone.wait()
            }
            try store.apply(["a": .set(1)])
            observation.cancel()
            #expect(try store.names() == ["a", "b", "c", "d"])
        }
    }

    @Test("A released store is not watched")
    func aReleasedStoreIsNotWatched() async throws {
        try await withTemporaryDirectory { folder in
            let watches = FakeWatches.Log()
            var store: FileStore? = FileStore(
                url: folder.appending(component: "preferences.json"),
                durability: .immediate,
                watching: .fake(watches)
            )
            let observation = store?.observe { _ in }
            store?.waitUntilWatched()
            #expect(watches.count == 1)
            store = nil
            await watches.waitUntilNone()
            observation?.cancel()
        }
    }

    @Test("A program that ends soon has not begun to watch its file")
    func watchingStartsLate() throws {
        try withTemporaryDirectory { folder in
            let watches = FakeWatches.Log()
            let store = FileStore(
                url: folder.appending(component: "preferences.json"),
                durability: .immediate,
                watching: .fake(watches, startDelay: .seconds(3_600))
            )
            let observation = store.observe { _ in }
            defer { observation.cancel() }
            try store.apply(["a": .set(1)])
            #expect(try store.value(for: "a") == 1)
            #expect(watches.count == 0)
            store.waitUntilWatched()
            #expect(watches.count == 1)
        }
    }

    @Test("The file is watched only while it has observers")
    func theFileIsWatchedOnlyWhileItHasObservers() throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            let watches = FakeWatches.Log()
            let store = FileStore(url: url, durability: .immediate, watching: .fake(watches))
            try store.apply(["a": .set(1)])
            #expect(watches.count == 0)
            let first = store.observe { _ in }
            let second = store.observe { _ in }
            store.waitUntilWatched()
            #expect(watches.count == 1)
            first.cancel()
            #expect(watches.count == 1)
            second.cancel()
            #expect(watches.count == 0)
            let third = store.observe { _ in }
            store.waitUntilWatched()
            #expect(watches.count == 1)
            third.cancel()
        }
    }

    /// Runs a body with an observed store whose file watcher is blocked until `go` is called.
    private func withStalledWatches(
        _ body: (_ store: FileStore, _ changes: StoreChanges, _ url: URL, _ go: () -> Void) async throws -> Void
    ) async throws {
        try await withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            try url.write("{\"a\": 1}")
            let gate = DispatchSemaphore(value: 0)
            var means = FileWatcher.Mechanism.fake()
            means.makeWatches = { [makeWatches = means.makeWatches] onEvent in
                gate.wait()
                gate.signal()
                return makeWatches(onEvent)
            }
            let store = FileStore(url: url, durability: .immediate, watching: means)
            let changes = StoreChanges(of: store)
            defer {
                // Ending the observation waits for the watches.
                gate.signal()
                withExtendedLifetime(changes) {}
            }
            try await body(store, changes, url) { gate.signal() }
        }
    }

    @Test("The first value is read before the file is watched")
    func theFirstValueIsReadBeforeTheFileIsWatched() async throws {
        try await withStalledWatches { store, _, _, _ async throws in
            #expect(try store.value(for: "a") == 1)
            #expect(store.notifiesAllChanges)
        }
    }

    @Test("A change between the first read and the beginning of the watch is notified")
    func aChangeBeforeTheWatchIsNotified() async throws {
        try await withStalledWatches { store, changes, url, go async throws in
            #expect(try store.value(for: "a") == 1)
            try url.write("{\"a\": 2}")
            go()
            #expect(await changes.next() == .names(["a"]))
            #expect(try store.value(for: "a") == 2)
        }
    }

    @Test("A store that is no longer observed when the watch would begin is not watched")
    func aStoreThatIsNotObservedIsNotWatched() throws {
        try withTemporaryDirectory { folder in
            let watches = FakeWatches.Log()
            let store = FileStore(
                url: folder.appending(component: "preferences.json"),
                durability: .immediate,
                watching: .fake(watches)
            )
            store.observe { _ in }.cancel()
            store.waitUntilWatched()
            #expect(watches.count == 0)
        }
    }

    @Test("Without file system events, each read reads the file")
    func withoutFileSystemEventsEachReadReadsTheFile() async throws {
        try await withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            let watches = FakeWatches.Log(failuresAhead: .max)
            let store = FileStore(url: url, durability: .immediate, watching: .fake(watches))
            #expect(store.notifiesAllChanges)
            let changes = StoreChanges(of: store)
            #expect(await changes.next() == .everything)
            #expect(!store.notifiesAllChanges)

            try FileStore(url: url, durability: .immediate).apply(["a": .set(1)])
            #expect(try store.value(for: "a") == 1)
            #expect(await changes.next() == .names(["a"]))
            try url.write("{")
            #expect(try store.value(for: "a") == 1)
            try url.write("{\"b\": 1}")
            #expect(try store.names() == ["b"])
            #expect(await changes.next() == .names(["a", "b"]))

            watches.endFailures()
            try store.reload()
            #expect(await changes.next() == .everything)
            #expect(store.notifiesAllChanges)
        }
    }

    @Test("Observers are notified when watching succeeds at the second attempt")
    func observersAreNotifiedWhenWatchingSucceedsAtTheSecondAttempt() async throws {
        try await withTemporaryDirectory { folder in
            let watches = FakeWatches.Log(failuresAhead: 1)
            let store = FileStore(
                url: folder.appending(component: "preferences.json"),
                durability: .immediate,
                watching: .fake(watches)
            )
            let changes = StoreChanges(of: store)
            #expect(await changes.next() == .everything)
            #expect(store.notifiesAllChanges)
        }
    }

    private var tooDeep: PreferenceValue {
        (0...StoreFileLimits.depth).reduce(1) { value, _ in [value] }
    }

    @Test("On a network file system each read reads the file, which is reported once")
    func onANetworkFileSystemEachReadReadsTheFileWhichIsReportedOnce() async throws {
        try await withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            try url.write("{\"a\": 1}")
            let store = FileStore(
                url: url,
                durability: .immediate,
                editingTime: 0,
                watching: .fake(fileSystem: RemoteFileSystem(type: 0x6969))
            )
            let changes = StoreChanges(of: store)
            let message =
                "the file is on a network file system (nfs), which does not report changes by other machines: "
                + "each read reads the file, and watchers are notified then; if that matters, keep the file on a local disk"
            let problem = PreferenceProblem(.remoteFileSystem, store: url.filePath, message: message)
            await changes.wait { changes.soFar.contains(.problem(problem)) }
            #expect(!store.notifiesAllChanges)
            #expect(try store.value(for: "a") == 1)
            try url.write("{\"a\": 2}")
            #expect(try store.value(for: "a") == 2)
            await changes.wait { changes.soFar.contains(.names(["a"])) }
            try store.reload()
            #expect(changes.soFar.filter { $0 == .problem(problem) }.count == 1)
            // Later observers have not received this notification.
            #expect(StoreChanges(of: store).soFar == [.problem(problem)])
        }
    }

    @Test("The file systems of this machine are local")
    func theFileSystemsOfThisMachineAreLocal() throws {
        try withTemporaryDirectory { folder in #expect(RemoteFileSystem(of: folder.filePath) == nil) }
        #expect(RemoteFileSystem(of: "/proc") == nil)
        #expect(RemoteFileSystem(type: 0xFF53_4D42)?.name == "cifs")
        #expect(RemoteFileSystem(type: 0xEF53) == nil)
    }
}
