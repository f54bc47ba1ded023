/// A ``PreferenceConvertible`` wrapper of a `Codable` value.
@usableFromInline
package struct CodedValue<Value: Codable & Sendable>: PreferenceConvertible, ValueWrapper {
    @usableFromInline package static var wrappedType: Any.Type { Value.self }

    @usableFromInline package let value: Value
    var wrappedAny: Any { value }

    func with(_ wrapped: Any) -> CodedValue? {
        (wrapped as? Value).map(CodedValue.init)
    }

    package init(value: Value) {
        self.value = value
    }

    @usableFromInline
    package init(preferenceValue: PreferenceValue) throws {
        if let type = Value.self as? any PreferenceConvertible.Type {
            guard let value = try type.init(preferenceValue: preferenceValue) as? Value else {
                throw PreferenceConversionError(expected: Value.self, found: preferenceValue)
            }
            self.value = value
        } else {
            value = try PreferenceValueDecoder().decode(Value.self, from: preferenceValue)
        }
    }

    @usableFromInline
    package func preferenceValue() throws -> PreferenceValue {
        if let value = value as? any PreferenceConvertible { return try value.preferenceValue() }
        return try PreferenceValueEncoder().encode(value)
    }
}

/// Decodes the value itself, since some decoders treat certain types specially, such as dates and data.
extension CodedValue: Decodable {
    @usableFromInline
    package init(from decoder: any Decoder) throws {
        value = try decoder.singleValueContainer().decode(Value.self)
    }
}

/// A type in which the runtime wraps the type of a key, such as one that is only `Codable`.
///
/// ``ValueConvertingStore/convert(_:of:to:)`` may be called with a wrapper. A store that distinguishes types must use
/// the wrapped type.
public protocol PreferenceValueWrapper {
    /// The type of the key.
    static var wrappedType: Any.Type { get }
}

/// A wrapper whose value is replaceable.
protocol ValueWrapper: PreferenceValueWrapper {
    /// The wrapped value.
    var wrappedAny: Any { get }
    /// Returns a wrapper of another value, or nil if that is not of the wrapped type.
    func with(_ wrapped: Any) -> Self?
}
