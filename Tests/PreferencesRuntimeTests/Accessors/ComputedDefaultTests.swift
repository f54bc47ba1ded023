import PreferencesRuntime
import StoreTestSupport
import Testing

private protocol Measuring: PreferenceAccessors {}

extension Measuring {
    var length: Int {
        get { _Accessor.getInt(self, "length", default: 1) }
        nonmutating set { _Accessor.setInt(self, "length", to: newValue) }
    }

    /// A key whose default is computed from another one.
    var width: Int {
        get { _Accessor.getComputed(self, "width", default: length * 2) }
        nonmutating set { _Accessor.set(self, "width", to: newValue) }
    }

    var bounded: Int {
        get { _Accessor.getComputed(self, "bounded", default: length * 2, traits: [.range(0...100)]) }
        nonmutating set { _Accessor.set(self, "bounded", to: newValue, traits: [.range(0...100)]) }
    }

    var coded: Int {
        get { _Accessor.getCodable(self, "coded", default: length * 2) }
        nonmutating set { _Accessor.setCodable(self, "coded", to: newValue) }
    }
}

@Suite("Defaults that are computed from other keys")
struct ComputedDefaultTests {
    private struct Sheet: Measuring {
        let preferences: Preferences
    }

    private static let keys: [any ReferenceWritableKeyPath<Sheet, Int> & Sendable] = [\.width, \.bounded, \.coded]

    @Test("A key is not set because its default is computed from one that is", arguments: keys.indices)
    func isNotSet(index: Int) throws {
        let key = Self.keys[index]
        let store = MemoryStore(["length": 5])
        let sheet = Sheet(preferences: Preferences(store: store))
        #expect(sheet[keyPath: key] == 10)
        #expect(!sheet.isSet(key))
        #expect(sheet.resolution(of: key).isDefault)
        #expect(sheet.source(of: key) == nil)
        #expect(sheet.defaultValue(key) == 2)
    }

    @Test("Resetting a key keeps the one that its default is computed from", arguments: keys.indices)
    func reset(index: Int) throws {
        let key = Self.keys[index]
        let store = MemoryStore(["length": 5])
        let sheet = Sheet(preferences: Preferences(store: store))
        try sheet.set(key, to: 7)
        #expect(sheet.isSet(key))
        sheet.reset(key)
        #expect(sheet[keyPath: key] == 10)
        #expect(store.names() == ["length"])
    }

    @Test("A watcher is notified if the default changes with the other key", arguments: keys.indices)
    func watch(index: Int) throws {
        let sheet = Sheet(preferences: .inMemory())
        let seen = Recorder<Int>()
        let watcher = sheet.watch(Self.keys[index]) { seen.add($0.new) }
        sheet.length = 3
        #expect(seen.all == [6])
        watcher.cancel()
    }
}
