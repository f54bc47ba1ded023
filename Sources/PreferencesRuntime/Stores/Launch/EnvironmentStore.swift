public import Foundation

/// The process's environment variables, to be read.
///
/// ```swift
/// let store = EnvironmentStore(prefix: "WEATHER_")
/// // WEATHER_SERVICE_LAST_UPDATE=2026-11-22T08:00:00Z   is `service:lastUpdate`, a date
/// // WEATHER_STATIONS=Oslo,Bergen                       is `stations`, a list
/// ```
///
/// A name's variable is its words in capitals with `_` between them, after the prefix; or else the name as it stands.
/// Names that are spelled alike have one variable.
///
/// A variable's text is read as the type that is wanted: numbers; `true`, `yes`, `on` and `1` for booleans; dates in ISO
/// 8601; data in base64; lists with separators, such as `Oslo,Bergen` and `oslo=1,bergen=2`; and JSON for any of them.
public struct EnvironmentStore: ValueConvertingStore, SourceReportingStore, CapabilityDeclaringStore {
    /// `environment`, and the prefix.
    public let label: String
    /// What the variables' names begin with.
    public let prefix: String

    private let environment: [String: String]
    private let reading: TextReading

    /// Makes a store.
    ///
    /// - Parameters:
    ///   - prefix: What the names of all variables begin with. With an empty one a key `home` or `path` would be what the
    ///     shell has for everybody.
    ///   - listSeparator: What is between the elements of a list; `,` by default.
    ///   - environment: The variables: by default the process's, as they are now.
    public init(
        prefix: String,
        listSeparator: Character = ",",
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        self.prefix = prefix
        label = prefix.isEmpty ? "environment" : "environment '\(prefix)'"
        self.environment = environment
        reading = TextReading(listSeparator: listSeparator)
    }

    /// The variable that a name is read from, if it is set: `WEATHER_SERVICE_LAST_UPDATE`.
    public func variable(for name: String) -> String {
        let asItStands = prefix + name
        if environment[asItStands] != nil { return asItStands }
        return prefix + StorageNameWords.words(of: name).joined(separator: "_").uppercased()
    }

    /// The text of a name's variable.
    public func value(for name: String) -> PreferenceValue? {
        environment[variable(for: name)].map(PreferenceValue.string)
    }

    /// Reads a text as a type.
    ///
    /// - Throws: Where it is no text of that type.
    public func convert<Value: PreferenceConvertible>(
        _ value: PreferenceValue,
        of name: String,
        to type: Value.Type
    ) throws -> Value {
        try reading.convert(value, to: type)
    }

    /// The names of the variables, as they stand, after the prefix. Other names that they are read for are not known.
    public func names() -> Set<String> {
        Set(environment.keys.compactMap { $0.hasPrefix(prefix) ? String($0.dropFirst(prefix.count)) : nil })
    }

    /// `environment variable` and its name.
    public func source(of name: String) -> String? {
        let variable = variable(for: name)
        return environment[variable].map { _ in "environment variable \(variable)" }
    }

    /// True: what the environment becomes later is not read.
    public var notifiesAllChanges: Bool { true }

    /// Persistence, null, and values other than text.
    public var unsupportedCapabilities: PreferenceStoreCapabilities { [.persistence, .typedValues, .null] }
}
