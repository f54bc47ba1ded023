extension PreferenceConvertible where Self: Codable {
    /// Decodes the value.
    public init(preferenceValue: PreferenceValue) throws {
        self = try PreferenceValueDecoder().decode(Self.self, from: preferenceValue)
    }

    /// The encoded value.
    public func preferenceValue() throws -> PreferenceValue {
        try PreferenceValueEncoder().encode(self)
    }
}
