import PreferencesRuntime

/// A store that does not tell of changes, so that it is asked at each read.
struct UntellingStore: WritablePreferenceStore {
    private let base: any PreferenceStore

    init(_ base: any PreferenceStore) {
        self.base = base
    }

    var label: String { base.label }
    func value(for name: String) throws -> PreferenceValue? { try base.value(for: name) }
    func names() throws -> Set<String> { try base.names() }
    func apply(_ batch: PreferenceBatch) throws { try base.commit(batch) }
    func flush() throws { try base.flush() }
    func reload() throws { try base.reload() }
}
