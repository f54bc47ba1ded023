extension String: PreferenceConvertible {
    /// Reads text. Numbers, dates and data are none.
    public init(preferenceValue: PreferenceValue) throws {
        guard case .string(let value) = preferenceValue else {
            throw PreferenceConversionError(expected: Self.self, found: preferenceValue)
        }
        self = value
    }

    /// A ``PreferenceValue/string(_:)``.
    public func preferenceValue() -> PreferenceValue {
        .string(self)
    }
}
