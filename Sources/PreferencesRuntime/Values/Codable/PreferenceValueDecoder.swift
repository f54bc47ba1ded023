/// Makes `Decodable` values from what ``PreferenceValueEncoder`` made of them.
public struct PreferenceValueDecoder: Sendable {
    /// Makes a decoder.
    public init() {}

    /// Decodes a value.
    ///
    /// - Parameters:
    ///   - type: The value's type.
    ///   - value: What it was encoded as.
    /// - Throws: `DecodingError`, with the place in the value, or what the type's `init(from:)` throws.
    public func decode<Value: Decodable>(_ type: Value.Type, from value: PreferenceValue) throws -> Value {
        try Value(from: ValueDecoder(value: value, codingPath: []))
    }
}
