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

    func apply(_ batch: PreferenceBatch, by writer: PreferenceStoreObservation?) throws {
        noted.withLock { $0.append("apply \(batch.map(\.name).sorted())") }
        try base.commit(batch, by: writer?.parts.first)
    }

    func update(
        by writer: PreferenceStoreObservation?,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        noted.withLock { $0.append("update") }
        try base.commit(by: writer?.parts.first, makeBatch)
    }
}
