import PreferencesJSON

extension PreferenceValue {
    /// The value that JSON text stands for, or nil where it is none.
    package init?(jsonText: String) {
        guard let value = try? JSONValueReader.value(of: Array(jsonText.utf8)) else { return nil }
        self = value
    }

    /// The value as JSON, as a ``FileStore`` writes it.
    ///
    /// - Throws: An error that says why in its description, where the value is nested too deep.
    package func jsonText() throws -> String {
        try JSONValueWriter.text(of: self)
    }
}
