extension PreferenceConvertible where Self: FixedWidthInteger & Codable {
    /// Reads a number that this type holds exactly: `7` and `7.0`, but neither `7.5` nor what is out of range.
    public init(preferenceValue: PreferenceValue) throws {
        let integer: Self? =
            switch preferenceValue {
            case .int(let value): Self(exactly: value)
            case .unsignedInt(let value): Self(exactly: value)
            case .double(let value): Self(exactly: value)
            default: nil
            }
        guard let integer else { throw PreferenceConversionError(expected: Self.self, found: preferenceValue) }
        self = integer
    }

    /// An ``PreferenceValue/int(_:)``, or above `Int64.max` a ``PreferenceValue/unsignedInt(_:)``.
    ///
    /// - Throws: ``PreferenceConversionError`` for a number of more than 64 bits.
    public func preferenceValue() throws -> PreferenceValue {
        guard let value = PreferenceValue.integer(self) else {
            throw PreferenceConversionError(expected: "a number of 64 bits", found: .string(String(self)))
        }
        return value
    }
}

extension Int: PreferenceConvertible {}
extension Int8: PreferenceConvertible {}
extension Int16: PreferenceConvertible {}
extension Int32: PreferenceConvertible {}
extension Int64: PreferenceConvertible {}
extension UInt: PreferenceConvertible {}
extension UInt8: PreferenceConvertible {}
extension UInt16: PreferenceConvertible {}
extension UInt32: PreferenceConvertible {}
extension UInt64: PreferenceConvertible {}
