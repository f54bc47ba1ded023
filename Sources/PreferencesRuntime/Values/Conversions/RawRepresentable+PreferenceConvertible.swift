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
