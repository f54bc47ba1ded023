/// Encodes `Encodable` values as ``PreferenceValue``s.
///
/// Dates, data, URLs, UUIDs, durations and integers keep their exact representations. Sets are sorted, so that equal
/// values have the same encoding. ``PreferenceConvertible`` types that are `Codable` use this encoder by default.
public struct PreferenceValueEncoder: Sendable {
    /// Creates an encoder.
    public init() {}

    /// Encodes a value.
    ///
    /// - Parameter value: The value.
    /// - Returns: A dictionary for most types.
    /// - Throws: Any error that the value's `encode(to:)` throws, or `EncodingError` if it encodes nothing.
    public func encode(_ value: some Encodable) throws -> PreferenceValue {
        let node = EncodedNode()
        try value.encode(to: ValueEncoder(node: node, codingPath: []))
        guard let encoded = node.value else {
            throw EncodingError.invalidValue(
                value,
                EncodingError.Context(codingPath: [], debugDescription: "\(type(of: value)) encodes no value")
            )
        }
        return encoded
    }
}

/// A node of the value that is being encoded. A class, since containers are filled after they have been returned.
final class EncodedNode {
    private enum Content {
        case nothing
        case value(PreferenceValue)
        case array([EncodedNode])
        case dictionary([String: EncodedNode])
    }

    private var content = Content.nothing

    /// The value encoded so far.
    var value: PreferenceValue? {
        switch content {
        case .nothing: nil
        case .value(let value): value
        // An element that encodes nothing, such as a type without properties, becomes an empty dictionary.
        case .array(let nodes): .array(nodes.map { $0.value ?? [:] })
        case .dictionary(let nodes): .dictionary(nodes.mapValues { $0.value ?? [:] })
        }
    }

    var count: Int {
        if case .array(let nodes) = content { nodes.count } else { 0 }
    }

    func set(_ value: PreferenceValue) {
        content = .value(value)
    }

    func becomeArray() {
        if case .array = content { return }
        content = .array([])
    }

    func becomeDictionary() {
        if case .dictionary = content { return }
        content = .dictionary([:])
    }

    func append() -> EncodedNode {
        let node = EncodedNode()
        if case .array(var nodes) = content {
            content = .nothing  // Prevents a copy when appending.
            nodes.append(node)
            content = .array(nodes)
        }
        return node
    }

    func child(_ name: String) -> EncodedNode {
        guard case .dictionary(var nodes) = content else { return EncodedNode() }
        if let node = nodes[name] { return node }
        let node = EncodedNode()
        content = .nothing  // Prevents a copy when inserting.
        nodes[name] = node
        content = .dictionary(nodes)
        return node
    }
}

/// The `Encoder` of a node, which is also its single-value container.
struct ValueEncoder: Encoder {
    let node: EncodedNode
    let codingPath: [any CodingKey]

    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        node.becomeDictionary()
        return KeyedEncodingContainer(KeyedValueEncoder<Key>(node: node, codingPath: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        node.becomeArray()
        return UnkeyedValueEncoder(node: node, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        self
    }
}

extension ValueEncoder: SingleValueEncodingContainer {
    func encodeNil() {
        node.set(.null)
    }

    /// Encodes a value: standard types by their own representations, all others by their `encode(to:)`.
    func encode<Value: Encodable>(_ value: Value) throws {
        guard let standard = value as? any StandardPreferenceType else { return try value.encode(to: self) }
        do {
            node.set(try standard.preferenceValue())
        } catch {
            throw EncodingError.invalidValue(
                value,
                EncodingError.Context(codingPath: codingPath, debugDescription: "", underlyingError: error)
            )
        }
    }
}

private struct KeyedValueEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: EncodedNode
    let codingPath: [any CodingKey]

    func encodeNil(forKey key: Key) {
        encoder(key).encodeNil()
    }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try encoder(key).encode(value)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        encoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
        encoder(AnyCodingKey.super)
    }

    func superEncoder(forKey key: Key) -> any Encoder {
        encoder(key)
    }

    private func encoder(_ key: some CodingKey) -> ValueEncoder {
        ValueEncoder(node: node.child(key.stringValue), codingPath: codingPath + [key])
    }
}

private struct UnkeyedValueEncoder: UnkeyedEncodingContainer {
    let node: EncodedNode
    let codingPath: [any CodingKey]

    var count: Int { node.count }

    func encodeNil() {
        next().encodeNil()
    }

    func encode<Value: Encodable>(_ value: Value) throws {
        try next().encode(value)
    }

    func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
        next().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        next().unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
        next()
    }

    private func next() -> ValueEncoder {
        let key = AnyCodingKey(index: count)
        return ValueEncoder(node: node.append(), codingPath: codingPath + [key])
    }
}

/// A coding key for indices, dictionary keys and superclasses.
struct AnyCodingKey: CodingKey {
    static let `super` = AnyCodingKey(stringValue: "super")

    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
        self.intValue = nil
    }

    init(intValue: Int) {
        self.init(index: intValue)
    }

    init(index: Int) {
        self.stringValue = String(index)
        self.intValue = index
    }
}
