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
