import PreferencesJSON

extension PreferenceValue {
    /// Creates a value from JSON text; nil if the text is not JSON.
    ///
    /// ```swift
    /// PreferenceValue(jsonText: "[1, 2]")  //=> .array([1, 2])
    /// ```
    public init?(jsonText: String) {
        guard let value = try? JSONValueReader.value(of: Array(jsonText.utf8)) else { return nil }
        self = value
    }

    /// Returns the value as JSON, in the form in which ``FileStore`` writes it.
    ///
    /// - Throws: An error that describes the limit, for a value that is nested too deeply.
    public func jsonText() throws -> String {
        try JSONValueWriter.text(of: self)
    }
}
