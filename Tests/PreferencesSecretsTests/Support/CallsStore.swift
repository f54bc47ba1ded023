import PreferencesRuntime
import PreferencesSystem

/// Another store, and by what it was changed.
final class CallsStore: PreferenceStoreAdapter {
    let base: any PreferenceStore
    private let noted = Locked<[String]>([])

    init(_ base: any PreferenceStore) {
        self.base = base
    }

    var calls: [String] { noted.withLock { $0 } }

    func apply(_ batch: [String: PreferenceEdit]) throws {
        noted.withLock { $0.append("apply \(batch.keys.sorted())") }
        try base.apply(batch)
    }

    func update(
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> [String: PreferenceEdit]
    ) throws {
        noted.withLock { $0.append("update") }
        try base.update(makeBatch)
    }
}
