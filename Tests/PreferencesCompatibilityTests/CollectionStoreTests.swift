import PreferencesCompatibility
import PreferencesRuntime
import Testing

@Suite("Collection store")
struct CollectionStoreTests {
    private struct Place {
        var id: String
        var height: Int?
    }

    @Test("Elements are read by their names")
    func elementsAreReadByName() {
        let places = [Place(id: "Oslo", height: 94), Place(id: "Bergen"), Place(id: "Oslo", height: 1)]
        let store = CollectionStore(places, label: "places", name: \.id) { $0.height.map { .int(Int64($0)) } }
        #expect(store.names() == ["Oslo"])
        #expect(store.value(for: "Oslo") == 94)
        #expect(store.value(for: "Bergen") == nil)
        #expect(Preferences(store: store).get(named: "Oslo", default: 0) == 94)
        #expect(throws: PreferenceProblem(.storeUnwritable, store: "places", message: "it is read-only")) {
            try store.commit(["Oslo": .set(1)])
        }
    }
}
