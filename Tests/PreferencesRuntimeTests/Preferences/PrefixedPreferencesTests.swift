import PreferencesRuntime
import StoreTestSupport
import Synchronization
import Testing

@Suite("Preferences over a part of others")
struct PrefixedPreferencesTests {
    private let store = MemoryStore()
    private let migration = PreferenceMigration(
        version: 2,
        [.move("a.old", to: "a.new") { (number: Int) in number + 1 }]
    )

    @Test("The migrations of the whole run before the first use of the part, and not when the part is created")
    func migrations() throws {
        store.apply(["a.old": .set(1)])
        let part = Preferences(store: store, migrations: [migration]).prefixed("a.")
        #expect(store.value(for: "a.old") == 1)
        #expect(part.get(named: "new", as: Int.self) == 2)
        #expect(store.value(for: "a.old") == nil)
    }

    @Test("The first change of the part records the version of the whole, so that its value is not migrated")
    func version() throws {
        let part = Preferences(store: store, migrations: [migration]).prefixed("a.")
        part.set(named: "old", to: 5)
        let later = Preferences(store: store, migrations: [migration])
        #expect(later.get(named: "a.old", as: Int.self) == 5)
        #expect(later.get(named: "a.new", as: Int.self) == nil)
    }

    @Test("While migrations of the whole cannot begin, the part cannot be changed")
    func failure() throws {
        let broken = UnreadableStore()
        let part = Preferences(store: broken, migrations: [migration]).prefixed("a.")
        #expect(throws: PreferenceProblem.self) { try part.set(\.["new"], to: 1) }
        #expect(broken.batches.withLock { $0 } == 0)
    }

    /// A store that cannot be read, and counts the batches that it is given.
    private final class UnreadableStore: WritablePreferenceStore {
        let label = "broken"
        let batches = Mutex(0)

        func value(for name: String) throws -> PreferenceValue? {
            throw PreferenceProblem(.storeUnreadable, store: label, message: "it cannot be read")
        }

        func names() throws -> Set<String> {
            throw PreferenceProblem(.storeUnreadable, store: label, message: "it cannot be read")
        }

        func apply(_ batch: PreferenceBatch) {
            batches.withLock { $0 += 1 }
        }
    }

    @Test("All values of a store do not include the record of its migrations, which merging and replacing keep")
    func dictionaries() throws {
        let preferences = Preferences(store: store, migrations: [migration])
        preferences.set(named: "b", to: 1)
        #expect(try store.dictionary() == ["b": 1])
        let count = store.names().count
        let other: MemoryStore = [:]
        try other.merge(store)
        #expect(other.names() == ["b"])
        try store.replaceAll(with: ["c": 2])
        #expect(store.names().count == count)
        #expect(try store.dictionary() == ["c": 2])
    }
}
