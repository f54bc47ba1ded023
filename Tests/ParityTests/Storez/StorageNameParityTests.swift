import PreferencesRuntime
import StorezSchema
import Testing

@Suite("Storez: storage names")
struct StorageNameParityTests {
    private let preferences = Preferences(store: MemoryStore())

    @Test("the storage name of a key: one call on its key path")
    func ofAKey() {
        #expect(preferences.storageName(of: \.animals.cats.wild.lion) == "animals:cats:wild:lion")
        #expect(preferences.animals.cats.storageName(of: \.lion) == "animals:cats:lion")
        #expect(preferences.storageName(of: \.total) == "total")
    }
}
