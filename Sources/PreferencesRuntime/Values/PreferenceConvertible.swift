/// A type whose values can be preferences.
///
/// Conforming are `Bool`, all integers to 64 bits, `Float`, `Double`, `String`, `Data`, `Date`, `URL`, `UUID`,
/// `Duration`, and arrays, sets, string-keyed dictionaries and optionals of such types.
///
/// Enums with raw values and `Codable` types conform by saying so, nothing has to be written:
///
/// ```swift
/// enum TemperatureUnit: String, PreferenceConvertible { case celsius, fahrenheit }   // stored as "celsius"
/// struct Station: Codable, PreferenceConvertible { var name: String; var height: Double }
/// ```
///
/// A type with a representation of its own has both members:
///
/// ```swift
/// struct Coordinate: PreferenceConvertible {
///     var latitude, longitude: Double
///
///     init(preferenceValue: PreferenceValue) throws {
///         let numbers = try [Double](preferenceValue: preferenceValue)
///         guard numbers.count == 2 else {
///             throw PreferenceConversionError(expected: Self.self, found: preferenceValue)
///         }
///         (latitude, longitude) = (numbers[0], numbers[1])
///     }
///
///     func preferenceValue() throws -> PreferenceValue { [.double(latitude), .double(longitude)] }
/// }
/// ```
public protocol PreferenceConvertible: Sendable {
    /// Makes the value from what a store holds.
    ///
    /// - Parameter preferenceValue: The stored value, of any kind: a person or another program may have written it.
    /// - Throws: ``PreferenceConversionError`` where it does not fit; any other error is reported in its own words.
    init(preferenceValue: PreferenceValue) throws

    /// What a store is to hold for this value. ``init(preferenceValue:)`` must make an equal value of it.
    ///
    /// - Throws: Any error where the value cannot be stored. What was stored before then stays.
    func preferenceValue() throws -> PreferenceValue
}
