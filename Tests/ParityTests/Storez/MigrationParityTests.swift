import PreferencesRuntime
import Synchronization
import Testing

@Suite("Storez: migrations")
struct MigrationParityTests {
    private struct Settings: Codable, Hashable, PreferenceConvertible {
        var theme: String
        var fontSize: Int
    }

    /// Returns the contents of a store after a list of migrations, without the record of their version.
    private func migrate(_ store: any PreferenceStore, _ steps: [PreferenceMigration.Step]) throws -> [String:
        PreferenceValue]
    {
        let preferences = Preferences(store: store, migrations: [PreferenceMigration(version: 1, steps)])
        _ = preferences.isSet(named: "anything")
        var values: [String: PreferenceValue] = [:]
        for name in try store.names() where !name.hasPrefix(":") { values[name] = try store.value(for: name) }
        return values
    }

    @Test("migration list: \"old-city-id\" → \"city-id\", the old name removed in the same atomic commit")
    func rename() throws {
        let store = BatchRecorder(["old-city-id": 42])
        #expect(try migrate(store, [.move("old-city-id", to: "city-id")]) == ["city-id": 42])
        #expect(store.batches.count == 1)
        #expect(store.batches[0]["old-city-id"] == .remove)
        #expect(store.batches[0]["city-id"] == .set(42))
    }

    @Test("migration list: missing old → skip; processor returning nil → skip, old kept; empty list")
    func skips() throws {
        #expect(try migrate(MemoryStore(["a": 1]), [.move("old-city-id", to: "city-id")]) == ["a": 1])
        let refusing = PreferenceMigration.Step.move("old", to: "new") { (_: Int) in nil as Int? }
        #expect(try migrate(MemoryStore(["old": 1]), [refusing]) == ["old": 1])
        #expect(try migrate(MemoryStore(["old": 1]), []) == ["old": 1])
    }

    @Test("migration list: 42 → 42; \"hello\" → \"HELLO\"; \"dark|16\" → Settings(dark, 16)")
    func conversions() throws {
        let store = MemoryStore(["number": 42, "text": "hello", "settings": "dark|16"])
        let values = try migrate(
            store,
            [
                .move("number", to: "n"), .move("text", to: "t") { (text: String) in text.uppercased() },
                .move("settings", to: "s") { (text: String) -> Settings? in
                    let parts = text.split(separator: "|")
                    return Int(parts[1]).map { Settings(theme: String(parts[0]), fontSize: $0) }
                },
            ]
        )
        #expect(values == ["n": 42, "t": "HELLO", "s": ["theme": "dark", "fontSize": 16]])
        #expect(try Settings(preferenceValue: #require(values["s"])) == Settings(theme: "dark", fontSize: 16))
    }

    @Test("migration list: an already set new name is kept unless the migration says overwrite")
    func overwriting() throws {
        let values: [String: PreferenceValue] = ["old": 1, "new": 2]
        #expect(try migrate(MemoryStore(values), [.move("old", to: "new")]) == values)
        #expect(try migrate(MemoryStore(values), [.move("old", to: "new", overwrites: true)]) == ["new": 1])
    }

    @Test("migration list: a failed conversion or write loses neither copy")
    func failures() throws {
        struct Refusal: Error {}
        let failing = PreferenceMigration.Step.move("old", to: "new") { (_: Int) throws -> Int? in throw Refusal() }
        #expect(try migrate(MemoryStore(["old": 1]), [failing]) == ["old": 1])
        // The new value cannot be encoded.
        struct Unstorable: PreferenceConvertible {
            init() {}
            init(preferenceValue: PreferenceValue) throws { throw Refusal() }
            func preferenceValue() throws -> PreferenceValue { throw Refusal() }
        }
        let unstorable = PreferenceMigration.Step.move("old", to: "new") { (_: Int) in Unstorable() }
        #expect(try migrate(MemoryStore(["old": 1]), [unstorable]) == ["old": 1])
        #expect(try migrate(ReadOnlyStore(MemoryStore(["old": 1])), [.move("old", to: "new")]) == ["old": 1])
    }

    /// A store that records the batches that are applied to it.
    private final class BatchRecorder: WritablePreferenceStore {
        private let memory: MemoryStore
        private let calls = Recorded()

        init(_ values: [String: PreferenceValue]) {
            memory = MemoryStore(values)
        }

        var batches: [[String: PreferenceEdit]] { calls.all }
        var label: String { memory.label }
        func value(for name: String) -> PreferenceValue? { memory.value(for: name) }
        func names() -> Set<String> { memory.names() }

        func apply(_ batch: PreferenceBatch) {
            calls.add(batch.edits)
            memory.apply(batch)
        }
    }
}

private final class Recorded: Sendable {
    private let batches = Mutex<[[String: PreferenceEdit]]>([])

    var all: [[String: PreferenceEdit]] { batches.withLock { $0 } }

    func add(_ batch: [String: PreferenceEdit]) {
        batches.withLock { $0.append(batch) }
    }
}
