import PreferencesRuntime
import Testing

private protocol NamePreferences: PreferenceAccessors {}

extension NamePreferences {
    fileprivate var heroName: String {
        get { get("heroName", default: "say my name!") }
        nonmutating set { set("heroName", to: newValue) }
    }
}

extension Preferences: NamePreferences {}

@Suite("Storez: processing")
struct ProcessingParityTests {
    @Test("per-key processing of a value being set: on set only, not to defaults or reads")
    func processing() {
        let store = MemoryStore()
        let preferences = Preferences(store: store)
        preferences.processValues(of: \.heroName) { "\($0) Heisenburg" }
        #expect(preferences.heroName == "say my name!")
        preferences.heroName = "say my name!"
        #expect(preferences.heroName == "say my name! Heisenburg")
        #expect(store.value(for: "heroName") == "say my name! Heisenburg")
        store.apply(["heroName": .set("Walter")])
        #expect(preferences.heroName == "Walter")
    }
}
