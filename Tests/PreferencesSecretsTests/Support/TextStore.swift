import PreferencesRuntime

/// A store in memory that keeps text only, as cookies do.
struct TextStore: PreferenceStoreAdapter {
    let base: any PreferenceStore = MemoryStore()

    var unsupportedCapabilities: PreferenceStoreCapabilities { [.persistence, .typedValues, .null] }

    func baseValue(of value: PreferenceValue, for name: String) throws -> PreferenceValue {
        guard case .string = value else {
            throw PreferenceProblem(.unsupportedValue, key: name, store: label, message: "it keeps text only")
        }
        return value
    }
}
