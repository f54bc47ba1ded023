/// Turns `Encodable` values into ``PreferenceValue``s, as `JSONEncoder` turns them into JSON.
///
/// Dates, data, URLs, UUIDs, durations and integers are kept as what they are, exactly; sets are sorted, so that one
/// value is always encoded the same. ``PreferenceConvertible`` types that are `Codable` use it by themselves.
public struct PreferenceValueEncoder: Sendable {
    /// Makes an encoder.
    public init() {}

    /// Encodes a value.
    ///
    /// - Parameter value: The value.
    /// - Returns: A dictionary for most types.
    /// - Throws: What the value's `encode(to:)` throws, or `EncodingError` where it encodes nothing at all.
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

/// A place in the value that is being encoded. Containers are references, as their users go on filling them.
final class EncodedNode {
    private enum Content {
        case nothing
        case value(PreferenceValue)
        case array([EncodedNode])
        case dictionary([String: EncodedNode])
    }

    private var content = Content.nothing

    /// What was encoded here so far.
    var value: PreferenceValue? {
        switch content {
        case .nothing: nil
        case .value(let value): value
        // An element that encoded nothing is still there: an empty dictionary, as of a type without properties.
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
            content = .nothing  // So that appending does not copy.
            nodes.append(node)
            content = .array(nodes)
        }
        return node
    }

    func child(_ name: String) -> EncodedNode {
        guard case .dictionary(var nodes) = content else { return EncodedNode() }
        if let node = nodes[name] { return node }
        let node = EncodedNode()
        content = .nothing  // So that inserting does not copy.
        nodes[name] = node
        content = .dictionary(nodes)
        return node
    }
}

/// The `Encoder` that fills a node, and the container of a single value.
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

    /// Values of the types that preferences know go in as they are, all others encode themselves.
    func encode<Value: Encodable>(_ value: Value) throws {
        guard let known = value as? any StandardPreferenceType else { return try value.encode(to: self) }
        do {
            node.set(try known.preferenceValue())
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
        encoder(NamedCodingKey.super)
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
        let key = NamedCodingKey(index: count)
        return ValueEncoder(node: node.append(), codingPath: codingPath + [key])
    }
}

/// A coding key that is not a type's own: an index, or the place of a superclass.
struct NamedCodingKey: CodingKey {
    static let `super` = NamedCodingKey(stringValue: "super")

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
