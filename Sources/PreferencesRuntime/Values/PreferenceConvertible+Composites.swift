/// Nil is represented by ``PreferenceValue/null``, if it is stored: see
/// ``PreferenceAccessors/set(_:to:)-(StaticString,_)``.
///
/// There is only one null: both nils of a nested optional read as the outer one.
extension Optional: PreferenceConvertible where Wrapped: PreferenceConvertible {
    /// Creates an optional from null or a value that fits the wrapped type.
    public init(preferenceValue: PreferenceValue) throws {
        self = preferenceValue == .null ? nil : try Wrapped(preferenceValue: preferenceValue)
    }

    /// Returns the wrapped value's representation, or ``PreferenceValue/null``.
    public func preferenceValue() throws -> PreferenceValue {
        try self?.preferenceValue() ?? .null
    }
}

extension Optional: TextFormDescribing where Wrapped: TextFormDescribing {
    static func textForm(listSeparator: Character) -> String {
        Wrapped.textForm(listSeparator: listSeparator)
    }
}

/// A type-erased optional.
protocol OptionalValue {
    static var wrappedType: Any.Type { get }
    var wrapped: Any? { get }
}

extension Optional: OptionalValue {
    static var wrappedType: Any.Type { Wrapped.self }
    var wrapped: Any? { self }
}

extension Array: PreferenceConvertible where Element: PreferenceConvertible {
    /// Creates an array from an array whose elements all fit.
    public init(preferenceValue: PreferenceValue) throws {
        guard case .array(let values) = preferenceValue else {
            throw PreferenceConversionError(expected: Self.self, found: preferenceValue)
        }
        let recorder = FieldRecorder.current
        self = try values.enumerated().map { index, value in
            try PreferenceConversionError.withPath(AnyCodingKey(index: index), recorder) {
                try Element(preferenceValue: value)
            }
        }
    }

    /// Returns a ``PreferenceValue/array(_:)``.
    public func preferenceValue() throws -> PreferenceValue {
        .array(try map { try $0.preferenceValue() })
    }
}

extension Set: PreferenceConvertible where Element: PreferenceConvertible {
    /// Creates a set from an array whose elements all fit. Duplicates are ignored.
    public init(preferenceValue: PreferenceValue) throws {
        guard case .array = preferenceValue else {
            throw PreferenceConversionError(expected: Self.self, found: preferenceValue)
        }
        self = try Set([Element](preferenceValue: preferenceValue))
    }

    /// Returns a sorted ``PreferenceValue/array(_:)``, so that equal sets have the same representation.
    public func preferenceValue() throws -> PreferenceValue {
        .array(try map { try $0.preferenceValue() }.sorted(by: PreferenceValue.precedes))
    }
}

extension Dictionary: PreferenceConvertible where Key == String, Value: PreferenceConvertible {
    /// Creates a dictionary from a dictionary whose values all fit.
    public init(preferenceValue: PreferenceValue) throws {
        guard case .dictionary(let values) = preferenceValue else {
            throw PreferenceConversionError(expected: Self.self, found: preferenceValue)
        }
        let recorder = FieldRecorder.current
        self = try Dictionary(
            uniqueKeysWithValues: values.map { name, value in
                let key = AnyCodingKey(stringValue: name)
                return (
                    name, try PreferenceConversionError.withPath(key, recorder) { try Value(preferenceValue: value) }
                )
            }
        )
    }

    /// Returns a ``PreferenceValue/dictionary(_:)``.
    public func preferenceValue() throws -> PreferenceValue {
        .dictionary(try mapValues { try $0.preferenceValue() })
    }
}

extension Dictionary: TextFormDescribing where Key == String, Value: PreferenceConvertible {
    static func textForm(listSeparator: Character) -> String {
        "a dictionary of \(DisplayName.of(Value.self)), as NAME=VALUE\(listSeparator)NAME=VALUE or in JSON"
    }
}

extension PreferenceConvertible where Self: RawRepresentable, RawValue: PreferenceConvertible {
    /// Creates the value from its raw value.
    public init(preferenceValue: PreferenceValue) throws {
        self = try Self.fromRawValue(preferenceValue)
    }

    /// Returns the raw value's representation.
    public func preferenceValue() throws -> PreferenceValue {
        try rawValue.preferenceValue()
    }
}

/// A type that is both `RawRepresentable` and `Codable` is stored as its raw value.
extension PreferenceConvertible where Self: RawRepresentable & Codable, RawValue: PreferenceConvertible {
    /// Creates the value from its raw value.
    public init(preferenceValue: PreferenceValue) throws {
        self = try Self.fromRawValue(preferenceValue)
    }

    /// Returns the raw value's representation.
    public func preferenceValue() throws -> PreferenceValue {
        try rawValue.preferenceValue()
    }
}

extension RawRepresentable where RawValue: PreferenceConvertible {
    /// Converts a raw value. The error names the cases, or this type if they are unknown or many.
    fileprivate static func fromRawValue(_ value: PreferenceValue) throws -> Self {
        let rawValue = try? RawValue(preferenceValue: value)
        if let result = rawValue.flatMap(Self.init(rawValue:)) { return result }
        let cases = (Self.self as? any CaseIterable.Type)?.rawValues(of: RawValue.self) ?? []
        throw (1...20).contains(cases.count)
            ? PreferenceConversionError(choices: cases, found: value, isOfTheirType: rawValue != nil)
            : PreferenceConversionError(expected: Self.self, found: value)
    }
}

extension CaseIterable {
    /// Returns the raw values of all cases, or none if they are of another type.
    fileprivate static func rawValues<RawValue>(of type: RawValue.Type) -> [RawValue] {
        allCases.compactMap { ($0 as? any RawRepresentable)?.rawValue as? RawValue }
    }
}

extension PreferenceConvertible where Self: Codable {
    /// Decodes the value from its representation.
    public init(preferenceValue: PreferenceValue) throws {
        self = try PreferenceValueDecoder().decode(Self.self, from: preferenceValue)
    }

    /// Returns the encoded value.
    public func preferenceValue() throws -> PreferenceValue {
        try PreferenceValueEncoder().encode(self)
    }
}
