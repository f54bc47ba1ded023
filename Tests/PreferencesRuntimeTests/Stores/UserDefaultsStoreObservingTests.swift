import Foundation
import StoreTestSupport
import Testing

@testable import PreferencesRuntime

/// On Apple platforms every store is also notified of changes by the other tests.
struct UserDefaultsStoreObservingTests {
    @Test("Observers are notified of a batch's names before the call returns")
    func observersAreNotifiedOfABatchsNamesBeforeTheCallReturns() throws {
        try withUserDefaultsSuite { suite throws in
            let store = UserDefaultsStore(suite: suite)
            let changes = StoreChanges(of: store)
            try store.apply(["a": .set(1), "b": .remove])
            try store.update { _ in ["c": .set(1)] }
            #expect(changes.named == [["a", "b"], ["c"]])
            changes.cancel()
            try store.apply(["a": .set(2)])
            #expect(changes.named.count == 2)
        }
    }

    @Test("A batch that is rejected or empty does not notify")
    func aBatchThatIsRejectedOrEmptyDoesNotNotify() throws {
        try withUserDefaultsSuite { suite throws in
            let store = UserDefaultsStore(suite: suite)
            let changes = StoreChanges(of: store)
            try store.update { _ in [:] }
            let tooDeep = (0..<1_000).reduce(1 as PreferenceValue) { value, _ in [value] }
            #expect(throws: PreferenceProblem.self) { try store.apply(["a": .set(tooDeep)]) }
            #expect(throws: PreferenceProblem.self) { try store.update { _ in ["a": .set(tooDeep)] } }
            #expect(changes.named.isEmpty)
        }
    }

    @Test(
        "Names that are not key paths can be observed individually",
        arguments: [
            ("weather-service:temperature", true), ("a b@c", true), ("", false), ("a.b", false), (".a", false),
            ("@a", false),
        ]
    )
    func namesThatAreNotKeyPathsCanBeObservedIndividually(name: String, isPossible: Bool) {
        #expect(UserDefaultsStore.canObserve(name) == isPossible)
    }

    @Test("reload() notifies that anything may have changed")
    func reloadNotifiesThatAnythingMayHaveChanged() throws {
        try withUserDefaultsSuite { suite throws in
            let store = UserDefaultsStore(suite: suite)
            let changes = StoreChanges(of: store)
            store.reload()
            #expect(changes.soFar.contains(.everything))
        }
    }

    @Test("An update begins from the stored values, and its closure may use the store")
    func anUpdateBeginsFromTheStoredValuesAndItsClosureMayUseTheStore() throws {
        try withUserDefaultsSuite { suite throws in
            let store = UserDefaultsStore(suite: suite)
            try store.apply(["a": .set(1)])
            try store.update { current in
                let value = try store.value(for: "a")
                #expect(value == 1)
                try store.apply(["b": .set(2)])
                return ["c": .set(try current("b") ?? 0)]
            }
            #expect(try store.names() == ["a", "b", "c"])
            #expect(try store.value(for: "c") == 2)
        }
    }

    @Test("An error of the closure is thrown")
    func anErrorOfTheClosureIsThrown() throws {
        struct Refusal: Error {}
        try withUserDefaultsSuite { suite throws in
            let store = UserDefaultsStore(suite: suite)
            #expect(throws: Refusal.self) { try store.update { _ in throw Refusal() } }
            #expect(try store.names().isEmpty)
        }
    }

    @Test("No lock is held while an observer runs")
    func noLockIsHeldWhileAnObserverRuns() throws {
        try withUserDefaultsSuite { suite throws in
            let store = UserDefaultsStore(suite: suite)
            let observation = store.observe { change in
                guard change == .names(["a"]) else { return }
                let isDone = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                    #expect(throws: Never.self) { try store.apply(["b": .set(1)]) }
                    isDone.signal()
                }
                isDone.wait()
            }
            try store.apply(["a": .set(1)])
            observation.cancel()
            #expect(try store.names() == ["a", "b"])
        }
    }

    @Test("Threads that increment a value lose no increment")
    func threadsThatCountLoseNothing() async throws {
        try await withUserDefaultsSuite { suite async throws in
            let stores = [UserDefaultsStore(suite: suite), UserDefaultsStore(suite: suite)]
            await withTaskGroup { group in
                for thread in 0..<4 {
                    group.addTask {
                        for _ in 0..<20 {
                            #expect(throws: Never.self) {
                                try stores[thread % storeCount].update { current in
                                    guard case .int(let number)? = try current("count") else {
                                        return ["count": .set(1)]
                                    }
                                    return ["count": .set(.int(number + 1))]
                                }
                            }
                        }
                    }
                }
            }
            #expect(try stores[0].value(for: "count") == 80)
        }
    }

    /// The number of stores of one suite that exclude each other. On Apple platforms, each store has its own lock.
    private var storeCount: Int {
        #if canImport(Darwin)
            1
        #else
            2
        #endif
    }

    #if canImport(Darwin)
        @Test("Changes by other code notify")
        func changesByOtherCodeNotify() throws {
            try withUserDefaultsSuite { suite throws in
                let store = UserDefaultsStore(suite: suite)
                #expect(!store.notifiesAllChanges)
                let changes = StoreChanges(of: store)
                UserDefaults(suiteName: suite)?.set(1, forKey: "a")
                #expect(changes.soFar.contains(.everything))
            }
        }
    #else
        @Test("A store that is not notified of all changes does not claim to be")
        func aStoreThatIsNotNotifiedOfAllChangesDoesNotClaimToBe() throws {
            try withUserDefaultsSuite { suite throws in
                let store = UserDefaultsStore(suite: suite)
                #expect(!store.notifiesAllChanges)
                UserDefaults(suiteName: suite)?.set(1, forKey: "a")
                #expect(try store.value(for: "a") == 1)
            }
        }
    #endif
}

extension StoreChanges {
    /// The names of all notifications.
    fileprivate var named: [Set<String>] {
        soFar.compactMap { change in if case .names(let names) = change { names } else { nil } }
    }
}
