extension Double: PreferenceConvertible {
    /// Reads a number. Of the integers, those that a `Double` holds exactly.
    public init(preferenceValue: PreferenceValue) throws {
        let number: Double? =
            switch preferenceValue {
            case .double(let value): value
            case .int(let value): Double(exactly: value)
            case .unsignedInt(let value): Double(exactly: value)
            default: nil
            }
        guard let number else { throw PreferenceConversionError(expected: Self.self, found: preferenceValue) }
        self = number
    }

    /// A ``PreferenceValue/double(_:)``.
    public func preferenceValue() -> PreferenceValue {
        .double(self)
    }
}

extension Float: PreferenceConvertible {
    /// Reads a number: of those with a fraction the nearest `Float`, of the integers those that it holds exactly.
    ///
    /// `123.1` in a file is a `Double` that no `Float` equals, and yet means the `Float` `123.1`. What only an infinite
    /// `Float` would be near to does not fit.
    public init(preferenceValue: PreferenceValue) throws {
        let number: Float? =
            switch preferenceValue {
            case .double(let value):
                Float(value).isInfinite && value.isFinite ? nil : Float(value)
            case .int(let value): Float(exactly: value)
            case .unsignedInt(let value): Float(exactly: value)
            default: nil
            }
        guard let number else { throw PreferenceConversionError(expected: Self.self, found: preferenceValue) }
        self = number
    }

    /// A ``PreferenceValue/double(_:)`` with the digits that this number is written with: `123.1`, not
    /// `123.0999984741211`. It reads as the very same `Float`.
    public func preferenceValue() -> PreferenceValue {
        if let short = Double(description), Float(short) == self { return .double(short) }
        return .double(Double(self))
    }
}
