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
        try Value(from: ValueDecoder(value: value, codingPath: [], recorder: FieldRecorder.current))
    }
}

/// The `Decoder` of a value, which is also its single-value container.
struct ValueDecoder: Decoder {
    let value: PreferenceValue
    let codingPath: [any CodingKey]
    /// Records the fields that are read; nil for none.
    let recorder: FieldRecorder?

    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .dictionary(let entries) = value else { throw mismatch([String: Any].self, "a dictionary") }
        let location = recorder?.location(ofObjectWith: entries.keys, at: codingPath)
        return KeyedDecodingContainer(
            KeyedValueDecoder<Key>(entries: entries, codingPath: codingPath, recorder: recorder, location: location)
        )
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let values) = value else { throw mismatch([Any].self, "an array") }
        return UnkeyedValueDecoder(values: values, codingPath: codingPath, recorder: recorder)
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
            let convert = { try standard.init(preferenceValue: value) }
            // `standard` is `Value` itself.
            return try (recorder?.within(codingPath, convert) ?? convert()) as! Value
        } catch let cause as PreferenceConversionError {
            throw error(type, cause)
        }
    }
}

private struct KeyedValueDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let entries: [String: PreferenceValue]
    let codingPath: [any CodingKey]
    let recorder: FieldRecorder?
    /// Notes the fields that are read; nil if they are not recorded.
    let location: FieldRecorder.Location?

    var allKeys: [Key] {
        let keys = entries.keys.compactMap(Key.init(stringValue:))
        if let location { for key in keys { location.noteRead(key.stringValue) } }
        return keys
    }

    func contains(_ key: Key) -> Bool {
        location?.noteRead(key.stringValue)
        return entries[key.stringValue] != nil
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
        superDecoder(of: AnyCodingKey.super)
    }

    func superDecoder(forKey key: Key) -> any Decoder {
        superDecoder(of: key)
    }

    private func superDecoder(of key: any CodingKey) -> any Decoder {
        location?.noteRead(key.stringValue)
        return ValueDecoder(
            value: entries[key.stringValue] ?? .null,
            codingPath: codingPath + [key],
            recorder: recorder
        )
    }

    private func decoder(_ key: Key) throws -> ValueDecoder {
        location?.noteRead(key.stringValue)
        guard let value = entries[key.stringValue] else {
            throw DecodingError.keyNotFound(
                key,
                DecodingError.Context(codingPath: codingPath, debugDescription: "'\(key.stringValue)' is missing")
            )
        }
        return ValueDecoder(value: value, codingPath: codingPath + [key], recorder: recorder)
    }
}

private struct UnkeyedValueDecoder: UnkeyedDecodingContainer {
    let values: [PreferenceValue]
    let codingPath: [any CodingKey]
    let recorder: FieldRecorder?
    var currentIndex = 0

    init(values: [PreferenceValue], codingPath: [any CodingKey], recorder: FieldRecorder?) {
        self.values = values
        self.codingPath = codingPath
        self.recorder = recorder
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
        return ValueDecoder(value: values[currentIndex], codingPath: path, recorder: recorder)
    }
}
