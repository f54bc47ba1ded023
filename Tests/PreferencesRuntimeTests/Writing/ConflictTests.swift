import PreferencesRuntime
import StoreTestSupport
import Synchronization
import TestSupport
import Testing

/// Updates of stores that cannot lock their backend, and call the closure again after a conflict.
struct ConflictTests {
    @Test("A transaction that runs again after a conflict starts from the new values")
    func transactionStartsFromNewValues() throws {
        let store = ConflictingStore(["weather-service:temperature": .set(20), "weather-service:nickname": .set("Ada")])
        let preferences = Preferences(store: store)
        var runs = 0
        try preferences.transaction { preferences in
            runs += 1
            if runs == 1 { preferences.weather.stations = ["Oslo"] }
            preferences.weather.temperature += 1
        }
        #expect(runs == 2)
        #expect(preferences.weather.temperature == 21)
        #expect(preferences.weather.stations == [])
        #expect(store.base.value(for: "weather-service:stations") == nil)
        #expect(preferences.weather.nickname == "Ada")
    }

    @Test("Watchers are notified of the conflicting change, and of the last result of the update that runs again")
    func watchersSeeCommittedChangesAlone() throws {
        let store = ConflictingStore(["weather-service:temperature": .set(20)])
        let preferences = Preferences(store: store)
        let changes = Recorder<Double>()
        let watcher = preferences.weather.watch(\.temperature) { changes.add($0.new) }
        try preferences.weather.update(\.temperature) { $0 += 1 }
        #expect(preferences.weather.temperature == 21)
        #expect(changes.all == [20, 21])
        watcher.cancel()
    }

    @Test("A transaction whose second run throws changes nothing")
    func secondRunMayThrow() throws {
        struct Refusal: Error {}
        let store = ConflictingStore(["weather-service:temperature": .set(20)])
        let preferences = Preferences(store: store)
        #expect(throws: Refusal.self) {
            try preferences.transaction { preferences in
                preferences.weather.stations = ["Oslo"]
                if preferences.weather.temperature == 20 { throw Refusal() }
            }
        }
        #expect(preferences.weather.stations == [])
        preferences.weather.stations = ["Bergen"]
        #expect(preferences.weather.stations == ["Bergen"])
    }

    @Test("The hooks after a commit are called once")
    func hooksAreCalledOnce() throws {
        let preferences = Preferences(store: ConflictingStore(["weather-service:nickname": .set("Ada")]))
        let calls = Recorder<Double?>()
        let hook = preferences.weather.didChange(of: \.temperature) { calls.add($0.new) }
        try preferences.weather.update(\.temperature) { $0 = 5 }
        #expect(calls.all == [5])
        hook.cancel()
    }
}

/// A store of which another client changes values during the first update, which is then repeated.
private final class ConflictingStore: WriterExcludingStore {
    let base = MemoryStore()
    let notifiesAllChanges = true
    private let foreignBatch: Mutex<PreferenceBatch?>

    init(_ foreignBatch: PreferenceBatch) {
        self.foreignBatch = Mutex(foreignBatch)
    }

    func value(for name: String) -> PreferenceValue? { base.value(for: name) }
    func names() -> Set<String> { base.names() }

    func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        base.observe(observer)
    }

    func update(
        by writer: PreferenceStoreObservation?,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        if let foreign = foreignBatch.withLock({ $0.take() }) {
            _ = try makeBatch(value)
            onAnotherThread { [base] in base.apply(foreign) }
        }
        try base.update(by: writer, makeBatch)
    }
}
