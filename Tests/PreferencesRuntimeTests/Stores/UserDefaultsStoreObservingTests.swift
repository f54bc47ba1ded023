import Foundation
import StoreTestSupport
import Testing

@testable import PreferencesRuntime

/// On Apple platforms every store is told, too, of what the tests beside these change.
struct UserDefaultsStoreObservingTests {
    @Test func theNamesOfABatchAreToldBeforeTheCallReturns() throws {
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

    @Test func aBatchThatIsRefusedOrEmptyIsNotTold() throws {
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

    @Test(arguments: [
        ("weather-service:temperature", true), ("a b@c", true), ("", false), ("a.b", false), (".a", false),
        ("@a", false),
    ])
    func namesThatAreNoKeyPathsCanBeObservedOneByOne(name: String, isPossible: Bool) {
        #expect(UserDefaultsStore.canObserve(name) == isPossible)
    }

    @Test func reloadingTellsThatAnythingMayHaveChanged() throws {
        try withUserDefaultsSuite { suite throws in
            let store = UserDefaultsStore(suite: suite)
            let changes = StoreChanges(of: store)
            store.reload()
            #expect(changes.soFar.contains(.everything))
        }
    }

    @Test func aBatchIsMadeFromWhatIsKeptAndTheClosureMayUseTheStore() throws {
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

    @Test func whatTheClosureThrowsIsThrown() throws {
        struct Refusal: Error {}
        try withUserDefaultsSuite { suite throws in
            let store = UserDefaultsStore(suite: suite)
            #expect(throws: Refusal.self) { try store.update { _ in throw Refusal() } }
            #expect(try store.names().isEmpty)
        }
    }

    @Test func noLockIsHeldWhileAnObserverRuns() throws {
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

    @Test func threadsThatCountLoseNothing() async throws {
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

    /// How many stores of one suite exclude each other: on Apple platforms each has a lock of its own.
    private var storeCount: Int {
        #if canImport(Darwin)
            1
        #else
            2
        #endif
    }

    #if canImport(Darwin)
        @Test func whatOtherCodeChangesIsTold() throws {
            try withUserDefaultsSuite { suite throws in
                let store = UserDefaultsStore(suite: suite)
                #expect(!store.notifiesAllChanges)
                let changes = StoreChanges(of: store)
                UserDefaults(suiteName: suite)?.set(1, forKey: "a")
                #expect(changes.soFar.contains(.everything))
            }
        }
    #else
        @Test func aStoreThatIsNotToldOfAllChangesDoesNotSaySo() throws {
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
    /// The names that were told so far.
    fileprivate var named: [Set<String>] {
        soFar.compactMap { change in if case .names(let names) = change { names } else { nil } }
    }
}
