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
