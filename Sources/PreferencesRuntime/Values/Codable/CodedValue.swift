/// A value of a type that is only known to be `Codable`, as something that can be a preference.
@usableFromInline
struct CodedValue<Value: Codable & Sendable>: PreferenceConvertible, ValueWrapper {
    @usableFromInline static var wrappedType: Any.Type { Value.self }

    @usableFromInline let value: Value
    var wrappedAny: Any { value }

    func with(_ wrapped: Any) -> CodedValue? {
        (wrapped as? Value).map(CodedValue.init)
    }

    init(value: Value) {
        self.value = value
    }

    @usableFromInline
    init(preferenceValue: PreferenceValue) throws {
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
    func preferenceValue() throws -> PreferenceValue {
        if let value = value as? any PreferenceConvertible { return try value.preferenceValue() }
        return try PreferenceValueEncoder().encode(value)
    }
}

/// For decoders that have their own ways with some types, dates and data above all: these are asked for the value itself.
extension CodedValue: Decodable {
    @usableFromInline
    init(from decoder: any Decoder) throws {
        value = try decoder.singleValueContainer().decode(Value.self)
    }
}
