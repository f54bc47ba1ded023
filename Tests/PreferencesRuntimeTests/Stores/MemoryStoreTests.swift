import Dispatch
import TestSupport
import Testing

@testable import PreferencesRuntime
@testable import PreferencesSystem

struct MemoryStoreTests {
    @Test("A literal gives the first contents")
    func aLiteralGivesTheFirstContents() {
        let store: MemoryStore = ["a": 1, "b": .null]
        #expect(store.names() == ["a", "b"])
        #expect(store.value(for: "a") == 1)
        #expect(store.value(for: "b") == .null)
        #expect(store.value(for: "c") == nil)
    }

    @Test("A batch sets and removes")
    func aBatchSetsAndRemoves() {
        let store: MemoryStore = ["a": 1, "b": 2]
        store.apply(["a": .remove, "b": .set(3), "c": .set("new"), "d": .remove])
        #expect(store.names() == ["b", "c"])
        #expect(store.value(for: "b") == 3)
    }
}

extension MemoryStoreTests {
    private struct Failure: Error {}

    @Test("A batch can be applied after an update has thrown, also on another thread")
    func applyAfterThrowingUpdate() async throws {
        let store: MemoryStore = ["a": 1]
        #expect(throws: Failure.self) { try store.update { _ in throw Failure() } }
        try await onOwnThread { store.apply(["a": .set(2)]) }
        #expect(store.value(for: "a") == 2)
    }

    @Test("Changes that an update makes on its own thread are made at once, and those of other threads after it")
    func changesDuringUpdate() async throws {
        let store: MemoryStore = ["a": 1]
        let isUpdating = DispatchSemaphore(value: 0)
        let hasApplied = Locked(false)
        let other = OwnThread {
            isUpdating.wait()
            store.apply(["a": .set(9)])
            hasApplied.withLock { $0 = true }
        }
        try await onOwnThread {
            store.update { current in
                isUpdating.signal()
                store.apply(["a": .set(2)])
                store.update { _ in ["b": .set(3)] }
                // The inner update has not released the lock to the other thread.
                for _ in 0..<1_000 { #expect((try? current("a")) == 2) }
                #expect((try? current("b")) == 3)
                #expect(!hasApplied.withLock { $0 })
                return ["a": .set(4)]
            }
        }
        try await other.result
        #expect(store.value(for: "a") == 9)
    }
}
