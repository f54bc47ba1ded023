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
    static func withPath<Result>(_ part: @autoclosure () -> String, _ convert: () throws -> Result) throws -> Result {
        do {
            return try convert()
        } catch var error as PreferenceConversionError {
            error.path = part() + error.path
            throw error
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
