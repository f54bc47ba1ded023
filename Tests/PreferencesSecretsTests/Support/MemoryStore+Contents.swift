import PreferencesRuntime

extension MemoryStore {
    /// All that it has.
    var contents: [String: PreferenceValue] {
        Dictionary(uniqueKeysWithValues: names().compactMap { name in value(for: name).map { (name, $0) } })
    }
}
