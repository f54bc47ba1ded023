import PreferencesJSON

extension PreferenceValue {
    /// The value that JSON text stands for, or nil where it is none.
    init?(jsonText: String) {
        guard let node = try? JSONReader.parse(Array(jsonText.utf8)), let value = try? node.preferenceValue() else {
            return nil
        }
        self = value
    }
}
