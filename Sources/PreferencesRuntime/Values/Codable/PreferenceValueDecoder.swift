/// Decodes `Decodable` values from the output of ``PreferenceValueEncoder``.
public struct PreferenceValueDecoder: Sendable {
    /// Creates a decoder.
    public init() {}

    /// Decodes a value.
    ///
    /// - Parameters:
    ///   - type: The value's type.
    ///   - value: The encoded value.
    /// - Throws: `DecodingError` with the coding path, or any error that the type's `init(from:)` throws.
    public func decode<Value: Decodable>(_ type: Value.Type, from value: PreferenceValue) throws -> Value {
        try Value(from: ValueDecoder(value: value, codingPath: []))
    }
}

/// The `Decoder` of a value, which is also its single-value container.
struct ValueDecoder: Decoder {
    let value: PreferenceValue
    let codingPath: [any CodingKey]

    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .dictionary(let entries) = value else { throw mismatch([String: Any].self, "a dictionary") }
        return KeyedDecodingContainer(KeyedValueDecoder<Key>(entries: entries, codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let values) = value else { throw mismatch([Any].self, "an array") }
        return UnkeyedValueDecoder(values: values, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer {
        self
    }

    private func mismatch(_ type: Any.Type, _ expected: String) -> DecodingError {
        error(type, PreferenceConversionError(expected: expected, found: value))
    }

    private func error(_ type: Any.Type, _ cause: PreferenceConversionError) -> DecodingError {
        .typeMismatch(type, DecodingError.Context(codingPath: codingPath, debugDescription: cause.description))
    }
}

extension ValueDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool {
        value == .null
    }

    /// Decodes a value: standard types from their own representations, all others by their `init(from:)`.
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        guard let standard = type as? any StandardPreferenceType.Type else { return try Value(from: self) }
        do {
            // `standard` is `Value` itself.
            return try standard.init(preferenceValue: value) as! Value
        } catch let cause as PreferenceConversionError {
            throw error(type, cause)
        }
    }
}

private struct KeyedValueDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let entries: [String: PreferenceValue]
    let codingPath: [any CodingKey]

    var allKeys: [Key] { entries.keys.compactMap(Key.init(stringValue:)) }

    func contains(_ key: Key) -> Bool {
        entries[key.stringValue] != nil
    }

    func decodeNil(forKey key: Key) throws -> Bool {
        try decoder(key).decodeNil()
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decoder(key).decode(type)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try decoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }

    func superDecoder() -> any Decoder {
        // As with `JSONDecoder`, a superclass that encoded nothing decodes null.
        let key = AnyCodingKey.super
        return ValueDecoder(value: entries[key.stringValue] ?? .null, codingPath: codingPath + [key])
    }

    func superDecoder(forKey key: Key) -> any Decoder {
        ValueDecoder(value: entries[key.stringValue] ?? .null, codingPath: codingPath + [key])
    }

    private func decoder(_ key: Key) throws -> ValueDecoder {
        guard let value = entries[key.stringValue] else {
            throw DecodingError.keyNotFound(
                key,
                DecodingError.Context(codingPath: codingPath, debugDescription: "'\(key.stringValue)' is missing")
            )
        }
        return ValueDecoder(value: value, codingPath: codingPath + [key])
    }
}

private struct UnkeyedValueDecoder: UnkeyedDecodingContainer {
    let values: [PreferenceValue]
    let codingPath: [any CodingKey]
    var currentIndex = 0

    init(values: [PreferenceValue], codingPath: [any CodingKey]) {
        self.values = values
        self.codingPath = codingPath
    }

    var count: Int? { values.count }
    var isAtEnd: Bool { currentIndex >= values.count }

    mutating func decodeNil() throws -> Bool {
        guard try current(Any?.self).decodeNil() else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let value = try current(type).decode(type)
        // Not advanced before, since a caller that catches the error may try another type.
        currentIndex += 1
        return value
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        let container = try current([String: Any].self).container(keyedBy: type)
        currentIndex += 1
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try current([Any].self).unkeyedContainer()
        currentIndex += 1
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        let decoder = try current((any Decoder).self)
        currentIndex += 1
        return decoder
    }

    private func current(_ type: Any.Type) throws -> ValueDecoder {
        let path = codingPath + [AnyCodingKey(index: currentIndex)]
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                type,
                DecodingError.Context(
                    codingPath: path,
                    debugDescription: "expected another element, found the array's end"
                )
            )
        }
        return ValueDecoder(value: values[currentIndex], codingPath: path)
    }
}
