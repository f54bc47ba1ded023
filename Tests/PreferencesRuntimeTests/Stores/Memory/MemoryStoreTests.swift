import PreferencesRuntime
import Testing

struct MemoryStoreTests {
    @Test func itHoldsWhatItsLiteralSays() {
        let store: MemoryStore = ["a": 1, "b": .null]
        #expect(store.names() == ["a", "b"])
        #expect(store.value(for: "a") == 1)
        #expect(store.value(for: "b") == .null)
        #expect(store.value(for: "c") == nil)
    }

    @Test func aBatchSetsAndRemoves() {
        let store: MemoryStore = ["a": 1, "b": 2]
        store.apply(["a": .remove, "b": .set(3), "c": .set("new"), "d": .remove])
        #expect(store.names() == ["b", "c"])
        #expect(store.value(for: "b") == 3)
    }
}
