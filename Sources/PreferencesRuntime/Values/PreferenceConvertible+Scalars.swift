public import Foundation
import PreferencesJSON

extension Bool: PreferenceConvertible {
    /// Creates a Boolean from a Boolean, and from no number or string.
    public init(preferenceValue: PreferenceValue) throws {
        guard case .bool(let value) = preferenceValue else {
            throw PreferenceConversionError(expected: Self.self, found: preferenceValue)
        }
        self = value
    }

    /// Returns a ``PreferenceValue/bool(_:)``.
    public func preferenceValue() -> PreferenceValue {
        .bool(self)
    }
}

extension PreferenceConvertible where Self: FixedWidthInteger & Codable {
    /// Creates an integer from a number that it represents exactly: `7` or `7.0`, but not `7.5`.
    public init(preferenceValue: PreferenceValue) throws {
        let integer: Self? =
            switch preferenceValue {
            case .int(let value): Self(exactly: value)
            case .unsignedInt(let value): Self(exactly: value)
            // JSON rounds integers below Int64.min to this number. It reads Int64.min itself as an integer.
            case .double(-0x1p63): nil
            case .double(let value): Self(exactly: value)
            default: nil
            }
        guard let integer else { throw PreferenceConversionError(expected: Self.self, found: preferenceValue) }
        self = integer
    }

    /// Returns an ``PreferenceValue/int(_:)``, or above `Int64.max` a ``PreferenceValue/unsignedInt(_:)``.
    ///
    /// - Throws: ``PreferenceConversionError`` for an integer of more than 64 bits.
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
    /// Creates a number from a floating-point number, or an integer that it represents exactly.
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

    /// Returns a ``PreferenceValue/double(_:)``.
    public func preferenceValue() -> PreferenceValue {
        .double(self)
    }
}

extension Float: PreferenceConvertible {
    /// Creates a number from a floating-point number, rounded to the nearest `Float`, or an integer that it represents
    /// exactly.
    ///
    /// `123.1` in a file is a `Double` that no `Float` equals, but means the `Float` `123.1`. Finite numbers beyond the
    /// range of `Float` do not fit.
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

    /// Returns a ``PreferenceValue/double(_:)`` with the number's shortest decimal digits: `123.1`, not
    /// `123.0999984741211`. It reads as the same `Float`.
    public func preferenceValue() -> PreferenceValue {
        if let short = Double(description), Float(short) == self { return .double(short) }
        return .double(Double(self))
    }
}

extension String: PreferenceConvertible {
    /// Creates a string from a string, and from no number, date or data.
    public init(preferenceValue: PreferenceValue) throws {
        guard case .string(let value) = preferenceValue else {
            throw PreferenceConversionError(expected: Self.self, found: preferenceValue)
        }
        self = value
    }

    /// Returns a ``PreferenceValue/string(_:)``.
    public func preferenceValue() -> PreferenceValue {
        .string(self)
    }
}

extension Data: PreferenceConvertible {
    /// Creates data from data, and from no string.
    public init(preferenceValue: PreferenceValue) throws {
        guard case .data(let value) = preferenceValue else {
            throw PreferenceConversionError(expected: Self.self, found: preferenceValue)
        }
        self = value
    }

    /// Returns a ``PreferenceValue/data(_:)``.
    public func preferenceValue() -> PreferenceValue {
        .data(self)
    }
}

extension Date: PreferenceConvertible {
    /// Creates a date from a date, and from no string or number.
    public init(preferenceValue: PreferenceValue) throws {
        guard case .date(let value) = preferenceValue else {
            throw PreferenceConversionError(expected: Self.self, found: preferenceValue)
        }
        self = value
    }

    /// Returns a ``PreferenceValue/date(_:)``.
    public func preferenceValue() -> PreferenceValue {
        .date(self)
    }
}

extension URL: PreferenceConvertible {
    /// Creates a URL from a valid string. Invalid characters are not percent-encoded.
    public init(preferenceValue: PreferenceValue) throws {
        guard case .string(let text) = preferenceValue,
            let url = URL(string: text, encodingInvalidCharacters: false)
        else {
            throw PreferenceConversionError(expected: Self.self, found: preferenceValue)
        }
        self = url
    }

    /// Returns a ``PreferenceValue/string(_:)``: the absolute URL, resolved against its base.
    public func preferenceValue() -> PreferenceValue {
        .string(absoluteString)
    }
}

extension UUID: PreferenceConvertible {
    /// Creates a UUID from a string in any case.
    public init(preferenceValue: PreferenceValue) throws {
        guard case .string(let text) = preferenceValue, let uuid = UUID(uuidString: text) else {
            throw PreferenceConversionError(expected: Self.self, found: preferenceValue)
        }
        self = uuid
    }

    /// Returns a ``PreferenceValue/string(_:)``: `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`.
    public func preferenceValue() -> PreferenceValue {
        .string(uuidString)
    }
}

/// Durations are stored as seconds: `90` and `1.5`.
///
/// A floating-point number represents its decimal digits, so that `0.1` is exactly a tenth of a second. Durations that
/// need more digits than a `Double` has are stored as dictionaries: `{"attoseconds": "1234567890123456789"}`. Text with
/// units is read as well: `5m`, `1h30m`, `1.5s`, `250ms`.
extension Duration: PreferenceConvertible {
    private static let attosecondsName = "attoseconds"
    private static let attosecondsPerSecond: Int128 = 1_000_000_000_000_000_000

    /// Creates a duration from a number of seconds, a dictionary with the attoseconds as a string, or a string of numbers
    /// with the units `d` (24 hours), `h`, `m`, `s`, `ms`, `us` or `µs`, and `ns`, larger ones first.
    public init(preferenceValue: PreferenceValue) throws {
        let attoseconds: Int128? =
            switch preferenceValue {
            case .int(let seconds): Int128(seconds) * Self.attosecondsPerSecond
            case .unsignedInt(let seconds): Int128(seconds) * Self.attosecondsPerSecond
            case .double(let seconds): Self.attoseconds(seconds: seconds)
            case .string(let text): DurationText.attoseconds(in: text)
            case .dictionary(let entries) where entries.count == 1:
                switch entries[Self.attosecondsName] {
                case .string(let text): Int128(text)
                default: nil
                }
            default: nil
            }
        guard let attoseconds else {
            // A text is probably a duration that someone has written, with other units.
            if case .string = preferenceValue {
                throw PreferenceConversionError(expected: Self.textForm(listSeparator: ","), found: preferenceValue)
            }
            throw PreferenceConversionError(expected: Self.self, found: preferenceValue)
        }
        // `init(attoseconds:)` and `attoseconds` require Swift 6.2. These are the properties that they use.
        self.init(_high: Int64(truncatingIfNeeded: attoseconds >> 64), low: UInt64(truncatingIfNeeded: attoseconds))
    }

    /// Returns an ``PreferenceValue/int(_:)`` of whole seconds, a ``PreferenceValue/double(_:)`` if that is exact, or
    /// else a dictionary.
    public func preferenceValue() -> PreferenceValue {
        let attoseconds = Int128(_high) << 64 | Int128(_low)
        let (seconds, rest) = attoseconds.quotientAndRemainder(dividingBy: Self.attosecondsPerSecond)
        if rest == 0, let value = PreferenceValue.integer(seconds) { return value }
        let approximation = Double(seconds) + Double(rest) / Double(Self.attosecondsPerSecond)
        if let number = Self.shortest(near: approximation, attoseconds: attoseconds) { return .double(number) }
        return .dictionary([Self.attosecondsName: .string(String(attoseconds))])
    }

    /// Returns the double whose decimal digits are exactly this duration. The approximation may be off in its last
    /// digit.
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

extension Duration: TextFormDescribing {
    static func textForm(listSeparator: Character) -> String {
        "a duration such as 1h30m or 250ms, or a number of seconds"
    }
}

extension Date: TextFormDescribing {
    static func textForm(listSeparator: Character) -> String {
        "a date with time and time zone, such as 2026-01-31T12:00:00Z"
    }
}

/// A type whose ``PreferenceConvertible`` representation is also used inside `Codable` values, instead of its own
/// coding: that of a `Date` would be a number, that of `Data` an array of numbers, that of a `Duration` two numbers,
/// and that of a `Set` an array in random order.
///
/// Only types of the standard library and Foundation conform. All others use their own coding, inside a value as well
/// as alone.
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
