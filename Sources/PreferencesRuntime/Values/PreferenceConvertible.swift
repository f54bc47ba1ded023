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

/// Why a ``PreferenceValue`` cannot be read as a type, or a value of a type not be made a ``PreferenceValue``.
///
/// Conversions throw it, ``PreferenceConvertible/init(preferenceValue:)`` above all; what users see is the
/// ``PreferenceProblem`` that it becomes.
public struct PreferenceConversionError: Error, Sendable, Hashable {
    /// What was wanted, in words that fit after "expected": `Int8`, `a TemperatureUnit`.
    public let expected: String
    /// The value that it was to be made from.
    public let found: PreferenceValue
    /// Where in the whole value that is: `[2]`, `.name`, `.stations[2]`, and empty for the whole.
    public private(set) var path = ""

    /// Makes the error of a value that does not fit.
    ///
    /// - Parameters:
    ///   - expected: What was wanted, in words that fit after "expected".
    ///   - found: The value that it was to be made from.
    public init(expected: String, found: PreferenceValue) {
        self.expected = expected
        self.found = found
    }

    /// Makes the error of a value that does not fit a type.
    ///
    /// - Parameters:
    ///   - expected: The type, which is named without its module.
    ///   - found: The value that it was to be made from.
    public init(expected: Any.Type, found: PreferenceValue) {
        self.init(expected: "\(expected)", found: found)
    }
}

extension PreferenceConversionError {
    /// Runs the conversion of a part, and adds to an error's path which part it was.
    static func withPath<Result>(_ part: NamedCodingKey, _ convert: () throws -> Result) throws -> Result {
        do {
            return try convert()
        } catch var error as PreferenceConversionError {
            error.path = (part.intValue.map { "[\($0)]" } ?? ".\(part.stringValue)") + error.path
            throw error
        } catch let error as DecodingError {
            throw error.inside(part)
        }
    }
}

extension DecodingError {
    /// The error as it is where the value that it is about is a part of another.
    fileprivate func inside(_ part: NamedCodingKey) -> DecodingError {
        func outer(_ context: Context) -> Context {
            Context(
                codingPath: [part] + context.codingPath,
                debugDescription: context.debugDescription,
                underlyingError: context.underlyingError
            )
        }
        switch self {
        case .typeMismatch(let type, let context): return .typeMismatch(type, outer(context))
        case .valueNotFound(let type, let context): return .valueNotFound(type, outer(context))
        case .keyNotFound(let key, let context): return .keyNotFound(key, outer(context))
        case .dataCorrupted(let context): return .dataCorrupted(outer(context))
        @unknown default: return self
        }
    }
}

extension PreferenceConversionError: CustomStringConvertible {
    /// `expected Int8, found the integer 300`, after `at '[2]':` where it is only a part that does not fit.
    public var description: String {
        let place = path.hasPrefix(".") ? path.dropFirst() : path[...]
        return "\(place.isEmpty ? "" : "at '\(place)': ")expected \(expected), found \(found.descriptionOfFound)"
    }
}
