extension PreferenceValue {
    /// The value as an integer: a whole number in the type's range, however it was stored.
    fileprivate func integer<Integer: FixedWidthInteger>(_ type: Integer.Type) throws -> Integer {
        let integer: Integer? =
            switch self {
            case .int(let value): Integer(exactly: value)
            case .unsignedInt(let value): Integer(exactly: value)
            case .double(let value): Integer(exactly: value)
            default: nil
            }
        guard let integer else { throw PreferenceConversionError(expected: type, found: self) }
        return integer
    }
}

extension Int: PreferenceConvertible {
    /// Reads a number that this type holds exactly: `7` and `7.0`, but neither `7.5` nor what is out of range.
    public init(preferenceValue: PreferenceValue) throws {
        self = try preferenceValue.integer(Self.self)
    }

    /// An ``PreferenceValue/int(_:)``.
    public func preferenceValue() -> PreferenceValue {
        .int(Int64(self))
    }
}

extension Int8: PreferenceConvertible {
    /// Reads a number that this type holds exactly: `7` and `7.0`, but neither `7.5` nor what is out of range.
    public init(preferenceValue: PreferenceValue) throws {
        self = try preferenceValue.integer(Self.self)
    }

    /// An ``PreferenceValue/int(_:)``.
    public func preferenceValue() -> PreferenceValue {
        .int(Int64(self))
    }
}

extension Int16: PreferenceConvertible {
    /// Reads a number that this type holds exactly: `7` and `7.0`, but neither `7.5` nor what is out of range.
    public init(preferenceValue: PreferenceValue) throws {
        self = try preferenceValue.integer(Self.self)
    }

    /// An ``PreferenceValue/int(_:)``.
    public func preferenceValue() -> PreferenceValue {
        .int(Int64(self))
    }
}

extension Int32: PreferenceConvertible {
    /// Reads a number that this type holds exactly: `7` and `7.0`, but neither `7.5` nor what is out of range.
    public init(preferenceValue: PreferenceValue) throws {
        self = try preferenceValue.integer(Self.self)
    }

    /// An ``PreferenceValue/int(_:)``.
    public func preferenceValue() -> PreferenceValue {
        .int(Int64(self))
    }
}

extension Int64: PreferenceConvertible {
    /// Reads a number that this type holds exactly: `7` and `7.0`, but neither `7.5` nor what is out of range.
    public init(preferenceValue: PreferenceValue) throws {
        self = try preferenceValue.integer(Self.self)
    }

    /// An ``PreferenceValue/int(_:)``.
    public func preferenceValue() -> PreferenceValue {
        .int(Int64(self))
    }
}

extension UInt: PreferenceConvertible {
    /// Reads a number that this type holds exactly: `7` and `7.0`, but neither `7.5` nor what is out of range.
    public init(preferenceValue: PreferenceValue) throws {
        self = try preferenceValue.integer(Self.self)
    }

    /// An ``PreferenceValue/int(_:)``, or above `Int64.max` a ``PreferenceValue/unsignedInt(_:)``.
    public func preferenceValue() -> PreferenceValue {
        Int64(exactly: self).map { .int($0) } ?? .unsignedInt(UInt64(self))
    }
}

extension UInt8: PreferenceConvertible {
    /// Reads a number that this type holds exactly: `7` and `7.0`, but neither `7.5` nor what is out of range.
    public init(preferenceValue: PreferenceValue) throws {
        self = try preferenceValue.integer(Self.self)
    }

    /// An ``PreferenceValue/int(_:)``.
    public func preferenceValue() -> PreferenceValue {
        .int(Int64(self))
    }
}

extension UInt16: PreferenceConvertible {
    /// Reads a number that this type holds exactly: `7` and `7.0`, but neither `7.5` nor what is out of range.
    public init(preferenceValue: PreferenceValue) throws {
        self = try preferenceValue.integer(Self.self)
    }

    /// An ``PreferenceValue/int(_:)``.
    public func preferenceValue() -> PreferenceValue {
        .int(Int64(self))
    }
}

extension UInt32: PreferenceConvertible {
    /// Reads a number that this type holds exactly: `7` and `7.0`, but neither `7.5` nor what is out of range.
    public init(preferenceValue: PreferenceValue) throws {
        self = try preferenceValue.integer(Self.self)
    }

    /// An ``PreferenceValue/int(_:)``.
    public func preferenceValue() -> PreferenceValue {
        .int(Int64(self))
    }
}

extension UInt64: PreferenceConvertible {
    /// Reads a number that this type holds exactly: `7` and `7.0`, but neither `7.5` nor what is out of range.
    public init(preferenceValue: PreferenceValue) throws {
        self = try preferenceValue.integer(Self.self)
    }

    /// An ``PreferenceValue/int(_:)``, or above `Int64.max` a ``PreferenceValue/unsignedInt(_:)``.
    public func preferenceValue() -> PreferenceValue {
        Int64(exactly: self).map { .int($0) } ?? .unsignedInt(UInt64(self))
    }
}
