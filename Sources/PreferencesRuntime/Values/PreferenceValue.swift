public import Foundation

/// A raw value, as stores keep it.
///
/// Every ``PreferenceStore`` takes and returns these; ``PreferenceConvertible`` types are made from them and turned
/// into them. Literals make the common ones:
///
/// ```swift
/// let store: MemoryStore = ["city": "Oslo", "range": 50, "scale": 1.5, "stations": ["Blindern", "Tryvann"]]
/// ```
///
/// Two values are equal where they are of one kind and hold the same. So `70` and `70.0` differ (a key of either type
/// reads both), and, other than by `Double`'s own rule, every NaN equals every other and `0.0` differs from `-0.0`.
public enum PreferenceValue: Sendable {
    /// Set to nothing: what an optional key was given that must not read as its default. See
    /// ``PreferenceAccessors/set(_:to:default:)``.
    case null
    /// True or false, never a number.
    case bool(Bool)
    /// A whole number.
    case int(Int64)
    /// A whole number above `Int64.max`; smaller ones are ``int(_:)``. ``integer(_:)`` makes the right one of the two.
    case unsignedInt(UInt64)
    /// A number with a fraction, or one that was stored as such.
    case double(Double)
    /// Text.
    case string(String)
    /// Bytes.
    case data(Data)
    /// A moment.
    case date(Date)
    /// Values in their order.
    case array([PreferenceValue])
    /// Values by name.
    case dictionary([String: PreferenceValue])

    /// The value that holds an integer of any type.
    ///
    /// - Parameter integer: The number.
    /// - Returns: ``int(_:)`` where that can hold it, else ``unsignedInt(_:)``, or nil for a number that is too large
    ///   for both, which only 128-bit integers can be.
    public static func integer(_ integer: some FixedWidthInteger) -> PreferenceValue? {
        if let signed = Int64(exactly: integer) { return .int(signed) }
        return UInt64(exactly: integer).map { .unsignedInt($0) }
    }
}
