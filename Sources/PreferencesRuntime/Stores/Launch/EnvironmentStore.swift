public import Foundation

/// A read-only store of the process's environment variables.
///
/// ```swift
/// let store = EnvironmentStore(prefix: "WEATHER_")
/// // WEATHER_SERVICE_LAST_UPDATE=2026-11-22T08:00:00Z   is `service:lastUpdate`, a date
/// // WEATHER_STATIONS=Oslo,Bergen                       is `stations`, a list
/// ```
///
/// The variable of a name is the prefix followed by its words in uppercase, joined by `_`, or by the name itself. Names
/// with the same words share a variable.
///
/// The text of a variable is converted to the type of the key: numbers; `true`, `yes`, `on` and `1` for Booleans; dates
/// in ISO 8601; data in base64; lists with separators, such as `Oslo,Bergen` and `oslo=1,bergen=2`; and JSON for any
/// type.
public struct EnvironmentStore: ValueConvertingStore, SourceReportingStore, CapabilityDeclaringStore {
    /// `environment`, followed by the prefix.
    public let label: String
    /// The prefix of all variables.
    public let prefix: String

    private let environment: [String: String]
    private let decoder: StringDecoder

    /// Creates a store.
    ///
    /// - Parameters:
    ///   - prefix: The prefix of all variables. With an empty prefix, a key `home` or `path` would read the shell's
    ///     variables.
    ///   - listSeparator: The separator of the elements of a list; `,` by default.
    ///   - environment: The variables; by default the current ones of the process.
    public init(
        prefix: String,
        listSeparator: Character = ",",
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        self.prefix = prefix
        label = prefix.isEmpty ? "environment" : "environment '\(prefix)'"
        self.environment = environment
        decoder = StringDecoder(listSeparator: listSeparator)
    }

    /// Returns the variable from which a name is read, such as `WEATHER_SERVICE_LAST_UPDATE`.
    public func variable(for name: String) -> String {
        let literalVariable = prefix + name
        if environment[literalVariable] != nil { return literalVariable }
        return prefix + StorageNameWords.words(of: name).joined(separator: "_").uppercased()
    }

    /// Returns the text of a name's variable; nil if it is not set.
    public func value(for name: String) -> PreferenceValue? {
        environment[variable(for: name)].map(PreferenceValue.string)
    }

    /// Converts a text to a type.
    ///
    /// - Throws: An error if the text does not fit the type.
    public func convert<Value: PreferenceConvertible>(
        _ value: PreferenceValue,
        of name: String,
        to type: Value.Type
    ) throws -> Value {
        try decoder.decode(value, as: type)
    }

    /// Returns the names of the variables without the prefix, because the names of keys cannot be derived from them.
    public func names() -> Set<String> {
        Set(environment.keys.compactMap { $0.hasPrefix(prefix) ? String($0.dropFirst(prefix.count)) : nil })
    }

    /// Returns the variable of a name; nil if it is not set.
    public func source(of name: String) -> PreferenceSource? {
        let variable = variable(for: name)
        return environment[variable].map { _ in
            PreferenceSource(store: label, name: variable, description: "environment variable \(variable)")
        }
    }

    /// True: later changes of the environment are not read.
    public var notifiesAllChanges: Bool { true }

    /// Persistence, null, and values other than strings.
    public var unsupportedCapabilities: PreferenceStoreCapabilities { [.persistence, .typedValues, .null] }
}

/// The words of storage names, for stores that write names in another style.
enum StorageNameWords {
    /// Returns the words of a name: `weather-service:lastUpdate` has `weather`, `service`, `last` and `Update`;
    /// `baseURL2` has `base` and `URL2`.
    static func words(of name: String) -> [Substring] {
        name.split { !$0.isLetter && !$0.isNumber }.flatMap(wordsInCamelCase)
    }

    private static func wordsInCamelCase(_ text: Substring) -> [Substring] {
        var words: [Substring] = []
        var start = text.startIndex
        for index in text.indices.dropFirst() {
            let previous = text[text.index(before: index)]
            let next = text[text.index(after: index)...].first
            // Split before an uppercase letter that follows a lowercase one, or precedes one: `aB`, `URLPath`.
            guard text[index].isUppercase,
                !previous.isUppercase || (next.map { $0.isLowercase } ?? false)
            else { continue }
            words.append(text[start..<index])
            start = index
        }
        return words + [text[start...]]
    }
}
