public import PreferencesRuntime

/// The descriptions of the keys of a schema or namespace, in the order of the schema.
///
/// The generator writes one for each namespace of a schema with `"catalogue": true`, and one for the whole file. Each is
/// built when it is first used:
///
/// ```swift
/// for key in Preferences.Weather.catalogue {
///     print(key.label ?? key.keyPath, key.type, key.defaultValue)   //=> Temperature Double 21.5
/// }
/// for problem in preferences.weather.validate() { print(problem) }
/// print(preferences.weather.explain())
/// ```
public struct PreferenceCatalogue: Sendable, RandomAccessCollection {
    private let keys: [PreferenceKeyDescription]

    /// Creates a catalogue.
    ///
    /// - Parameter keys: The descriptions.
    public init(_ keys: [PreferenceKeyDescription]) {
        self.keys = keys
    }

    /// The index of the first description: 0.
    public var startIndex: Int { keys.startIndex }

    /// The number of descriptions.
    public var endIndex: Int { keys.endIndex }

    /// The description at an index.
    public subscript(index: Int) -> PreferenceKeyDescription { keys[index] }

    /// The description of the key with a storage name; nil if there is none.
    ///
    /// - Parameter storageName: The storage name, such as `weather:temperature`.
    public subscript(storageName storageName: String) -> PreferenceKeyDescription? {
        keys.first { $0.storageName == storageName }
    }

    /// Returns the keys of two catalogues.
    public static func + (first: PreferenceCatalogue, second: PreferenceCatalogue) -> PreferenceCatalogue {
        PreferenceCatalogue(first.keys + second.keys)
    }
}

/// The description of one key.
public struct PreferenceKeyDescription: Sendable {
    /// The path of the key's accessor: `weather.temperature`.
    public let keyPath: String
    /// The name under which the value is stored: `weather:temperature`.
    public let storageName: String
    /// The type of the values.
    public let type: PreferenceType
    /// The value of the key while it is not set.
    public let defaultValue: PreferenceDefault
    /// The conditions on the values.
    public let constraints: [PreferenceConstraint]
    /// The name of the key in a user interface; nil if the schema has none.
    public let label: String?
    /// The description of the key; nil if the schema has none.
    public let description: String?
    /// The unit of a number, such as `°C`; nil if the schema has none.
    public let unit: String?
    /// The access level of the accessor.
    public let access: Access
    /// Whether the accessor has no setter.
    public let isReadOnly: Bool
    /// Whether the value is stored among the secrets.
    public let isSecret: Bool
    /// Whether an administrator can fix the value: the key is `managed` in the schema.
    public let isManageable: Bool
    /// The machines that share the value.
    public let scope: PreferenceScope
    /// How concurrent changes become one value, if several machines share it.
    public let mergeRule: PreferenceMergeRule
    /// The deprecation message; nil if the key is not deprecated.
    public let deprecation: String?
    /// The storage names that the key had before, newest first.
    public let formerNames: [String]

    /// The access level of an accessor.
    public enum Access: String, Sendable, CaseIterable {
        /// The accessor is used in one file.
        case `fileprivate`
        /// The accessor is used in one module.
        case `internal`
        /// The accessor is used in one package.
        case package
        /// The accessor is used everywhere.
        case `public`
    }

    /// Creates a description. Generated code calls it.
    ///
    /// - Parameters:
    ///   - keyPath: The path of the key's accessor.
    ///   - storageName: The name under which the value is stored.
    ///   - type: The type of the values.
    ///   - defaultValue: The value of the key while it is not set.
    ///   - constraints: The conditions on the values; none by default.
    ///   - label: The name of the key in a user interface; none by default.
    ///   - description: The description of the key; none by default.
    ///   - unit: The unit of a number; none by default.
    ///   - access: The access level of the accessor; internal by default.
    ///   - isReadOnly: Whether the accessor has no setter; false by default.
    ///   - isSecret: Whether the value is stored among the secrets; false by default.
    ///   - isManageable: Whether an administrator can fix the value; false by default.
    ///   - scope: The machines that share the value; one machine by default.
    ///   - mergeRule: How concurrent changes become one value; the last one by default.
    ///   - deprecation: The deprecation message; none by default.
    ///   - formerNames: The storage names that the key had before, newest first; none by default.
    public init(
        _ keyPath: String,
        storageName: String,
        type: PreferenceType,
        default defaultValue: PreferenceDefault,
        constraints: [PreferenceConstraint] = [],
        label: String? = nil,
        description: String? = nil,
        unit: String? = nil,
        access: Access = .internal,
        isReadOnly: Bool = false,
        isSecret: Bool = false,
        isManageable: Bool = false,
        scope: PreferenceScope = .machine,
        mergeRule: PreferenceMergeRule = .last,
        deprecation: String? = nil,
        formerNames: [String] = []
    ) {
        self.keyPath = keyPath
        self.storageName = storageName
        self.type = type
        self.defaultValue = defaultValue
        self.constraints = constraints
        self.label = label
        self.description = description
        self.unit = unit
        self.access = access
        self.isReadOnly = isReadOnly
        self.isSecret = isSecret
        self.isManageable = isManageable
        self.scope = scope
        self.mergeRule = mergeRule
        self.deprecation = deprecation
        self.formerNames = formerNames
    }
}

/// The value of a key while it is not set.
public enum PreferenceDefault: Sendable, CustomStringConvertible {
    /// A constant, as it would be stored; ``/PreferencesRuntime/PreferenceValue/null`` for nil.
    case value(PreferenceValue)
    /// A Swift expression, and its result at each call, which may depend on other keys of the preferences. A catalogue
    /// that was read from a schema, and not compiled, has no result.
    case expression(String, result: (@Sendable (Preferences) -> PreferenceValue)?)

    /// Creates the default of a constant. Generated code calls it.
    ///
    /// - Parameter constant: The value. One that cannot be stored, which a schema does not permit, is nil.
    public static func constant<Value: PreferenceConvertible>(_ constant: Value) -> PreferenceDefault {
        .value((try? constant.preferenceValue()) ?? .null)
    }

    /// Creates the default of an expression. Generated code calls it.
    ///
    /// - Parameters:
    ///   - text: The expression.
    ///   - result: Evaluates the expression for preferences, whose other keys it may read.
    public static func computed<Value: Codable & Sendable>(
        _ text: String,
        _ result: @escaping @Sendable (Preferences) -> Value
    ) -> PreferenceDefault {
        .expression(text) { (try? CodedValue(value: result($0)).preferenceValue()) ?? .null }
    }

    /// Returns the value at present; nil if it is not known.
    ///
    /// - Parameter preferences: The preferences whose other keys an expression may read.
    public func value(in preferences: Preferences) -> PreferenceValue? {
        switch self {
        case .value(let value): value
        case .expression(_, let result): result.map { result in preferences.computedDefault { result(preferences) } }
        }
    }

    /// The value, or the expression in parentheses: `21.5`, `"Oslo"`, `(Date())`.
    public var description: String {
        switch self {
        case .value(let value): value.description
        case .expression(let text, _): "(\(text))"
        }
    }
}

/// A condition on the values of a key. Nil meets every condition.
public indirect enum PreferenceConstraint: Sendable {
    /// The inclusive bounds of numbers, durations and dates, as they would be stored.
    case range(minimum: PreferenceValue?, maximum: PreferenceValue?)
    /// The inclusive bounds of the length of strings in characters, or of data in bytes.
    case length(minimum: Int?, maximum: Int?)
    /// The inclusive bounds of the number of elements of a collection.
    case count(minimum: Int?, maximum: Int?)
    /// A regular expression in Swift's syntax that a whole string must match.
    case pattern(String)
    /// The only permitted values, as they would be stored.
    case choices([PreferenceValue])
    /// The conditions on each element of an array or a set, or each value of a dictionary.
    case each([PreferenceConstraint])

    /// Creates the constraint of a range. Generated code calls it.
    ///
    /// - Parameters:
    ///   - minimum: The lower bound; none by default.
    ///   - maximum: The upper bound; none by default.
    public static func range<Value: PreferenceConvertible>(
        from minimum: Value? = nil,
        through maximum: Value? = nil
    ) -> PreferenceConstraint {
        .range(
            minimum: minimum.flatMap { try? $0.preferenceValue() },
            maximum: maximum.flatMap { try? $0.preferenceValue() }
        )
    }

    /// Creates the constraint of choices. Generated code calls it.
    ///
    /// - Parameter choices: The permitted values.
    public static func oneOf<Value: PreferenceConvertible>(_ choices: [Value]) -> PreferenceConstraint {
        .choices(choices.compactMap { try? $0.preferenceValue() })
    }
}
