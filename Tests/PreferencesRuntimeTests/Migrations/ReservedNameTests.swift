import PreferencesRuntime
import StoreTestSupport
import Testing

/// The names of entries that the package adds to a store.
@Suite("Reserved names")
struct ReservedNameTests {
    private let store: MemoryStore = ["::": 1, "::version": 1, "::other": 2]

    @Test("A key whose storage name is two colons is reset, and names that begin with them are kept")
    func resetAll() throws {
        let secrets = MemoryStore(["::": "a", "::encryption key": "b"])
        try Preferences(store: store, secrets: secrets).resetAll()
        #expect(store.names() == ["::version", "::other"])
        #expect(secrets.names() == ["::encryption key"])
    }

    @Test("A key whose storage name is two colons is moved, and names that begin with them are not")
    func moveAll() {
        let target = MemoryStore()
        let preferences = Preferences(store: target, migrations: [.init(version: 1, [.moveAll(from: store)])])
        #expect(preferences.get(named: "::", default: 0) == 1)
        #expect(target.names() == ["::", "::version"])
        #expect(store.names() == ["::version", "::other"])
    }

    @Test("All names of a store itself are moved to new ones, except those that begin with two colons")
    func renameAll() {
        let step = PreferenceMigration.Step.moveAll(from: store) { $0 == "::" ? "colons" : "other" }
        let preferences = Preferences(store: store, migrations: [.init(version: 2, [step])])
        #expect(preferences.get(named: "colons", default: 0) == 1)
        #expect(store.names() == ["colons", "::version", "::other"])
    }

    @Test("A dictionary of all values has a key whose storage name is two colons")
    func dictionaries() throws {
        #expect(try store.dictionary() == ["::": 1])
        try store.replaceAll(with: ["::": 3, "::other": 4])
        #expect(try store.dictionary() == ["::": 3])
        #expect(store.value(for: "::other") == 2)
    }

    @Test("A name of two colons that no key has is unrecognized")
    func unrecognizedNames() throws {
        #expect(try Preferences(store: store).unrecognizedNames().map(\.key) == ["::"])
    }
}
