import PreferencesJSON
public import Foundation

extension Bool: PreferenceConvertible {
    /// Reads a boolean. Numbers and strings are none.
    public init(preferenceValue: PreferenceValue) throws {
        guard case .bool(let value) = preferenceValue else {
            throw PreferenceConversionError(expected: Self.self, found: preferenceValue)
        }
        self = value
    }

    /// A ``PreferenceValue/bool(_:)``.
    public func preferenceValue() -> PreferenceValue {
        .bool(self)
    }
}

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

extension String: PreferenceConvertible {
    /// Reads text. Numbers, dates and data are none.
    public init(preferenceValue: PreferenceValue) throws {
        guard case .string(let value) = preferenceValue else {
            throw PreferenceConversionError(expected: Self.self, found: preferenceValue)
        }
        self = value
    }

    /// A ``PreferenceValue/string(_:)``.
    public func preferenceValue() -> PreferenceValue {
        .string(self)
    }
}

extension Data: PreferenceConvertible {
    /// Reads data. Strings are none.
    public init(preferenceValue: PreferenceValue) throws {
        guard case .data(let value) = preferenceValue else {
            throw PreferenceConversionError(expected: Self.self, found: preferenceValue)
        }
        self = value
    }

    /// A ``PreferenceValue/data(_:)``.
    public func preferenceValue() -> PreferenceValue {
        .data(self)
    }
}

extension Date: PreferenceConvertible {
    /// Reads a date. Strings and numbers are none.
    public init(preferenceValue: PreferenceValue) throws {
        guard case .date(let value) = preferenceValue else {
            throw PreferenceConversionError(expected: Self.self, found: preferenceValue)
        }
        self = value
    }

    /// A ``PreferenceValue/date(_:)``.
    public func preferenceValue() -> PreferenceValue {
        .date(self)
    }
}

extension URL: PreferenceConvertible {
    /// Reads text that is a URL as it stands: characters that a URL cannot have are not encoded.
    public init(preferenceValue: PreferenceValue) throws {
        guard case .string(let text) = preferenceValue,
            let url = URL(string: text, encodingInvalidCharacters: false)
        else {
            throw PreferenceConversionError(expected: Self.self, found: preferenceValue)
        }
        self = url
    }

    /// A ``PreferenceValue/string(_:)``: the absolute URL, with which one that is relative to a base is joined.
    public func preferenceValue() -> PreferenceValue {
        .string(absoluteString)
    }
}

extension UUID: PreferenceConvertible {
    /// Reads text that is a UUID, in capitals or not.
    public init(preferenceValue: PreferenceValue) throws {
        guard case .string(let text) = preferenceValue, let uuid = UUID(uuidString: text) else {
            throw PreferenceConversionError(expected: Self.self, found: preferenceValue)
        }
        self = uuid
    }

    /// A ``PreferenceValue/string(_:)``: `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`.
    public func preferenceValue() -> PreferenceValue {
        .string(uuidString)
    }
}

/// Durations are seconds: `90` and `1.5`, as people write them.
///
/// A number with a fraction stands for the decimal number that it is written as, so that `0.1` is a tenth of a second
/// to the attosecond. Durations that need more digits than a `Double` has are dictionaries: `{"attoseconds":
/// "1234567890123456789"}`.
extension Duration: PreferenceConvertible {
    private static let attosecondsName = "attoseconds"
    private static let attosecondsPerSecond: Int128 = 1_000_000_000_000_000_000

    /// Reads a number of seconds, or a dictionary that holds the attoseconds as text.
    public init(preferenceValue: PreferenceValue) throws {
        let attoseconds: Int128? =
            switch preferenceValue {
            case .int(let seconds): Int128(seconds) * Self.attosecondsPerSecond
            case .unsignedInt(let seconds): Int128(seconds) * Self.attosecondsPerSecond
            case .double(let seconds): Self.attoseconds(seconds: seconds)
            case .dictionary(let entries) where entries.count == 1:
                switch entries[Self.attosecondsName] {
                case .string(let text): Int128(text)
                default: nil
                }
            default: nil
            }
        guard let attoseconds else { throw PreferenceConversionError(expected: Self.self, found: preferenceValue) }
        // `init(attoseconds:)` and `attoseconds` require Swift 6.2. These are the properties that they use.
        self.init(_high: Int64(truncatingIfNeeded: attoseconds >> 64), low: UInt64(truncatingIfNeeded: attoseconds))
    }

    /// A ``PreferenceValue/int(_:)`` of whole seconds, a ``PreferenceValue/double(_:)`` where it is exact, or else a
    /// dictionary.
    public func preferenceValue() -> PreferenceValue {
        let attoseconds = Int128(_high) << 64 | Int128(_low)
        let (seconds, rest) = attoseconds.quotientAndRemainder(dividingBy: Self.attosecondsPerSecond)
        if rest == 0, let value = PreferenceValue.integer(seconds) { return value }
        let approximation = Double(seconds) + Double(rest) / Double(Self.attosecondsPerSecond)
        if let number = Self.shortest(near: approximation, attoseconds: attoseconds) { return .double(number) }
        return .dictionary([Self.attosecondsName: .string(String(attoseconds))])
    }

    /// The double whose digits are this number of attoseconds. The approximation may be off by its last digit.
    private static func shortest(near approximation: Double, attoseconds: Int128) -> Double? {
        [approximation, approximation.nextUp, approximation.nextDown].first {
            Self.attoseconds(seconds: $0) == attoseconds
        }
    }

    private static func attoseconds(seconds: Double) -> Int128? {
        guard seconds.isFinite else { return nil }
        return JSONNumber(text: seconds.description).scaled(byPowerOfTen: 18)
    }
}

/// A type with a representation that coding is to use too, in place of the type's own coding: that of a `Date` would be
/// a number, of `Data` an array of numbers, of a `Duration` two, of a `Set` an array in random order.
///
/// Only types of the library's: others code themselves, inside a value as well as alone.
protocol StandardPreferenceType: PreferenceConvertible {}

extension Bool: StandardPreferenceType {}
extension Int: StandardPreferenceType {}
extension Int8: StandardPreferenceType {}
extension Int16: StandardPreferenceType {}
extension Int32: StandardPreferenceType {}
extension Int64: StandardPreferenceType {}
extension UInt: StandardPreferenceType {}
extension UInt8: StandardPreferenceType {}
extension UInt16: StandardPreferenceType {}
extension UInt32: StandardPreferenceType {}
extension UInt64: StandardPreferenceType {}
extension Float: StandardPreferenceType {}
extension Double: StandardPreferenceType {}
extension String: StandardPreferenceType {}
extension Data: StandardPreferenceType {}
extension Date: StandardPreferenceType {}
extension URL: StandardPreferenceType {}
extension UUID: StandardPreferenceType {}
extension Duration: StandardPreferenceType {}
extension Set: StandardPreferenceType where Element: PreferenceConvertible {}
