/// Nil is stored as ``PreferenceValue/null``, where it is stored at all: see
/// ``PreferenceAccessors/set(_:to:)-(StaticString,_)``.
///
/// There is one null: of an optional optional, both nils read as the outer one.
extension Optional: PreferenceConvertible where Wrapped: PreferenceConvertible {
    /// Reads null, or a value that fits.
    public init(preferenceValue: PreferenceValue) throws {
        self = preferenceValue == .null ? nil : try Wrapped(preferenceValue: preferenceValue)
    }

    /// The value's own, or ``PreferenceValue/null``.
    public func preferenceValue() throws -> PreferenceValue {
        try self?.preferenceValue() ?? .null
    }
}

/// What is known of an optional whose wrapped type is not.
protocol OptionalValue {
    static var wrappedType: Any.Type { get }
    var wrapped: Any? { get }
}

extension Optional: OptionalValue {
    static var wrappedType: Any.Type { Wrapped.self }
    var wrapped: Any? { self }
}

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

extension PreferenceConvertible where Self: RawRepresentable, RawValue: PreferenceConvertible {
    /// Reads a raw value that this type has.
    public init(preferenceValue: PreferenceValue) throws {
        self = try Self.fromRawValue(preferenceValue)
    }

    /// The raw value's.
    public func preferenceValue() throws -> PreferenceValue {
        try rawValue.preferenceValue()
    }
}

/// A type that has both a raw value and a coding is stored as its raw value, which for an enum is the same.
extension PreferenceConvertible where Self: RawRepresentable & Codable, RawValue: PreferenceConvertible {
    /// Reads a raw value that this type has.
    public init(preferenceValue: PreferenceValue) throws {
        self = try Self.fromRawValue(preferenceValue)
    }

    /// The raw value's.
    public func preferenceValue() throws -> PreferenceValue {
        try rawValue.preferenceValue()
    }
}

extension RawRepresentable where RawValue: PreferenceConvertible {
    /// The error names this type, whether it is the raw value that does not fit or that there is no such case.
    fileprivate static func fromRawValue(_ value: PreferenceValue) throws -> Self {
        guard let rawValue = try? RawValue(preferenceValue: value), let result = Self(rawValue: rawValue) else {
            throw PreferenceConversionError(expected: Self.self, found: value)
        }
        return result
    }
}

extension PreferenceConvertible where Self: Codable {
    /// Decodes the value.
    public init(preferenceValue: PreferenceValue) throws {
        self = try PreferenceValueDecoder().decode(Self.self, from: preferenceValue)
    }

    /// The encoded value.
    public func preferenceValue() throws -> PreferenceValue {
        try PreferenceValueEncoder().encode(self)
    }
}
