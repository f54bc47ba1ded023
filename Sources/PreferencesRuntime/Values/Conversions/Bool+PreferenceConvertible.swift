extension Bool: PreferenceConvertible {
    /// Reads a boolean. Numbers and strings are none.
    public init(preferenceValue: PreferenceValue) throws {
        guard case .bool(let value) = preferenceValue else {
            throw PreferenceConversionError(expected: Self.self, found: preferenceValue)
        }
        self = value
    }

    /// A ``PreferenceValue/bool(_:)``.
    public func preferenceValue() -> PreferenceValue {
        .bool(self)
    }
}
