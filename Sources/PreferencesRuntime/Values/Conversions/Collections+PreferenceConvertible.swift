extension Array: PreferenceConvertible where Element: PreferenceConvertible {
    /// Reads an array whose elements all fit.
    public init(preferenceValue: PreferenceValue) throws {
        guard case .array(let values) = preferenceValue else {
            throw PreferenceConversionError(expected: Self.self, found: preferenceValue)
        }
        self = try values.enumerated().map { index, value in
            try PreferenceConversionError.withPath(NamedCodingKey(index: index)) { try Element(preferenceValue: value) }
        }
    }

    /// A ``PreferenceValue/array(_:)``.
    public func preferenceValue() throws -> PreferenceValue {
        .array(try map { try $0.preferenceValue() })
    }
}

extension Set: PreferenceConvertible where Element: PreferenceConvertible {
    /// Reads an array whose elements all fit. Repeated ones count once.
    public init(preferenceValue: PreferenceValue) throws {
        guard case .array = preferenceValue else {
            throw PreferenceConversionError(expected: Self.self, found: preferenceValue)
        }
        self = try Set([Element](preferenceValue: preferenceValue))
    }

    /// A ``PreferenceValue/array(_:)``, sorted, so that one set is always stored the same.
    public func preferenceValue() throws -> PreferenceValue {
        .array(try map { try $0.preferenceValue() }.sorted(by: PreferenceValue.precedes))
    }
}

extension Dictionary: PreferenceConvertible where Key == String, Value: PreferenceConvertible {
    /// Reads a dictionary whose values all fit.
    public init(preferenceValue: PreferenceValue) throws {
        guard case .dictionary(let values) = preferenceValue else {
            throw PreferenceConversionError(expected: Self.self, found: preferenceValue)
        }
        self = try Dictionary(
            uniqueKeysWithValues: values.map { name, value in
                let key = NamedCodingKey(stringValue: name)
                return (name, try PreferenceConversionError.withPath(key) { try Value(preferenceValue: value) })
            }
        )
    }

    /// A ``PreferenceValue/dictionary(_:)``.
    public func preferenceValue() throws -> PreferenceValue {
        .dictionary(try mapValues { try $0.preferenceValue() })
    }
}
