/// A type whose values can be stored as preferences.
///
/// The conforming types are `Bool`, all integers up to 64 bits, `Float`, `Double`, `String`, `Data`, `Date`, `URL`,
/// `UUID`, `Duration`, and arrays, sets, string-keyed dictionaries and optionals of such types.
///
/// Enums with raw values and `Codable` types need only declare the conformance:
///
/// ```swift
/// enum TemperatureUnit: String, PreferenceConvertible { case celsius, fahrenheit }   // stored as "celsius"
/// struct Station: Codable, PreferenceConvertible { var name: String; var height: Double }
/// ```
///
/// A type with a custom representation implements both requirements:
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
    /// Creates the value from a stored value.
    ///
    /// - Parameter preferenceValue: The stored value. It may be of any kind, since a user or another program may have
    ///   written it.
    /// - Throws: ``PreferenceConversionError`` if it does not fit. The description of any other error is reported.
    init(preferenceValue: PreferenceValue) throws

    /// Returns the value to store. ``init(preferenceValue:)`` must create an equal value from it.
    ///
    /// - Throws: Any error if the value cannot be stored. The previously stored value is then preserved.
    func preferenceValue() throws -> PreferenceValue
}

/// An error in converting a ``PreferenceValue`` to a type, or a value of a type to a ``PreferenceValue``.
///
/// It is thrown by conversions, such as ``PreferenceConvertible/init(preferenceValue:)``, and reported to users as a
/// ``PreferenceProblem``.
public struct PreferenceConversionError: Error, Sendable, Hashable {
    /// The expected type, in words that fit after "expected": `Int8`, `a TemperatureUnit`.
    public let expected: String
    /// The value that was found instead.
    public let found: PreferenceValue
    /// The path of ``found`` in the whole value: `[2]`, `.name`, `.stations[2]`; empty for the whole value.
    public private(set) var path = ""
    /// Whether ``expected`` is a type or a choice between values.
    private(set) var expectation = Expectation.type

    /// The meaning of ``expected``.
    enum Expectation {
        /// A type.
        case type
        /// A choice between values: `one of celsius, fahrenheit`.
        case choice
        /// A choice between values of another type than ``found``.
        case choiceOfAnotherType
    }

    /// Creates the error of a value that does not fit.
    ///
    /// - Parameters:
    ///   - expected: The expected type, in words that fit after "expected".
    ///   - found: The value that was found instead.
    public init(expected: String, found: PreferenceValue) {
        self.expected = expected
        self.found = found
    }

    /// Creates the error of a value that does not fit a type.
    ///
    /// - Parameters:
    ///   - expected: The expected type.
    ///   - found: The value that was found instead.
    public init(expected: Any.Type, found: PreferenceValue) {
        self.init(expected: DisplayName.of(expected), found: found)
    }

    /// Creates the error of a value that is not among those of a type.
    ///
    /// - Parameters:
    ///   - choices: All values of the type.
    ///   - found: The value that was found instead.
    ///   - isOfTheirType: Whether the value that was found is of the type of the choices.
    package init(choices: [any PreferenceConvertible], found: PreferenceValue, isOfTheirType: Bool) {
        self.init(expected: ValueText.anyOf(choices.map { ValueText.choice($0) }), found: found)
        expectation = isOfTheirType ? .choice : .choiceOfAnotherType
    }

    /// Returns the error about a text, which has no type of its own: it does not state that a string was found instead of
    /// another type, and describes the texts that would fit.
    ///
    /// - Parameters:
    ///   - type: The type that the text was to be converted to.
    ///   - listSeparator: The separator of elements in the text.
    func aboutText(_ type: Any.Type, listSeparator: Character) -> Self {
        if expectation == .choiceOfAnotherType {
            var error = self
            error.expectation = .choice
            return error
        }
        // An error about a part is about a value in JSON.
        guard path.isEmpty, let type = Preferences.declaredType(type) as? any TextFormDescribing.Type else {
            return self
        }
        return Self(expected: type.textForm(listSeparator: listSeparator), found: found)
    }
}

/// A type whose name in messages is not its name in Swift, because it stands for a type that the program does not have.
package protocol DisplayNamed {
    /// The name in messages.
    static var displayName: String { get }
}

/// Names of types in messages.
package enum DisplayName {
    /// Returns the name of a type.
    package static func of(_ type: Any.Type) -> String {
        (type as? any DisplayNamed.Type)?.displayName ?? "\(type)"
    }
}

/// A type whose values have a text form of their own, which errors about other texts describe.
protocol TextFormDescribing {
    /// Returns the form in words that fit after "expected".
    ///
    /// - Parameter listSeparator: The separator of elements in texts.
    static func textForm(listSeparator: Character) -> String
}

extension PreferenceConversionError {
    /// Runs the conversion of a part of a value, and prepends the part to an error's path.
    static func withPath<Result>(
        _ part: AnyCodingKey,
        _ recorder: FieldRecorder?,
        _ convert: () throws -> Result
    ) throws -> Result {
        do {
            return try recorder?.within([part], convert) ?? convert()
        } catch var error as PreferenceConversionError {
            error.path = (part.intValue.map { "[\($0)]" } ?? ".\(part.stringValue)") + error.path
            throw error
        } catch let error as DecodingError {
            throw error.prepending(part)
        }
    }
}

extension DecodingError {
    /// Returns the error with a part prepended to its coding path.
    fileprivate func prepending(_ part: AnyCodingKey) -> DecodingError {
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
    /// A text such as `expected Int8, found the integer 300` or `"kelvin" must be one of celsius, fahrenheit`, after
    /// `at '[2]':` if only a part does not fit.
    public var description: String {
        let place = path.hasPrefix(".") ? path.dropFirst() : path[...]
        let fault =
            switch expectation {
            case .type: "expected \(expected), found \(found.descriptionWithKind)"
            case .choice: "\(found) must be \(expected)"
            case .choiceOfAnotherType: "\(found.descriptionWithKind) must be \(expected)"
            }
        return place.isEmpty ? fault : "at '\(place)': \(fault)"
    }
}
