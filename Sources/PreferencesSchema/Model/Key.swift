/// One typed preference.
package struct Key: Sendable {
    package var name: Name
    /// The name under which the value is stored: the key's `storageName`, or the ids of the enclosing namespaces and its
    /// own, joined by colons.
    package var storageName: String
    /// The place of the key's `storageName`; nil if it has none.
    package var storageNamePlace: Place?
    package var documentation: KeyDocumentation
    package var access: AccessLevel
    /// The access level of the setter, if it is narrower.
    package var setAccess: AccessLevel?
    package var isReadOnly: Bool
    package var isSecret: Bool
    /// Whether an administrator can fix the value.
    package var isManaged: Bool
    /// The machines that have the same value; the machine itself for a secret key.
    package var scope: KeyScope
    /// How concurrent changes of a shared key become one value.
    package var mergeRule: MergeRule
    /// The deprecation message.
    package var deprecation: String?
    /// The storage names that the key had before, newest first.
    package var formerNames: [String]
    package var type: ValueType
    package var defaultValue: KeyDefault
    package var constraints: [Constraint]
    /// The names of the Swift types with its hooks, those of the outermost namespace first.
    package var hooks: [String]
}

/// The machines that have the same value of a key, with their names in schemas.
package enum KeyScope: String, CaseIterable, Sendable {
    case machine
    case user
    case fleet
}

/// How the changes that machines have made to a key while they were apart become one value, with the names in schemas.
package enum MergeRule: String, CaseIterable, Sendable {
    case last
    case union
    case max
    case min
    case sum
    case ask
}

/// The human-readable description of a key.
package struct KeyDocumentation: Sendable {
    package var description: String?
    /// The name of the key in a user interface.
    package var label: String?
    /// The unit of a number: `°C`.
    package var unit: String?
}

/// The value of a key that is not set.
package enum KeyDefault: Hashable, Sendable {
    /// A value, and different ones for some platforms.
    case value(DefaultValue, platforms: [PlatformDefault] = [])
    /// A Swift expression without surrounding spaces, evaluated at each read.
    case expression(String)

    package struct PlatformDefault: Hashable, Sendable {
        package var platform: Platform
        package var value: DefaultValue

        package init(platform: Platform, value: DefaultValue) {
            self.platform = platform
            self.value = value
        }
    }
}

/// A platform that can have its own defaults, with its name in schemas.
package enum Platform: String, CaseIterable, Sendable {
    case macOS
    case iOS
    case tvOS
    case watchOS
    case visionOS
    case linux
    case windows

    /// The name of the platform in Swift's `os()` condition.
    package var conditionName: String {
        switch self {
        case .linux: "Linux"
        case .windows: "Windows"
        default: rawValue
        }
    }
}

/// A value in a schema, such as a default, validated against its type.
package enum DefaultValue: Hashable, Sendable {
    case none
    case bool(Bool)
    case integer(Int128)
    /// A `Double` or `Float`, as written in the schema.
    case decimal(String)
    case string(String)
    case data([UInt8])
    /// A date in seconds since 2001-01-01 00:00 UTC, and its text in the schema.
    case date(secondsSinceReference: Double, text: String)
    case url(String)
    case uuid(String)
    /// A duration in attoseconds (10⁻¹⁸ s).
    case duration(attoseconds: Int128)
    /// A case of a declared enum, by its Swift name.
    case enumCase(String)
    case array([DefaultValue])
    /// A dictionary, sorted by key.
    case dictionary([Entry])
    /// The fields that the value gives, in the order of the struct's declaration.
    case structure([Field])

    package struct Entry: Hashable, Sendable {
        package var key: String
        package var value: DefaultValue

        package init(key: String, value: DefaultValue) {
            self.key = key
            self.value = value
        }
    }

    package struct Field: Hashable, Sendable {
        package var name: String
        package var type: ValueType
        package var value: DefaultValue

        package init(name: String, type: ValueType, value: DefaultValue) {
            self.name = name
            self.type = type
            self.value = value
        }
    }
}

/// A condition on the values of a key. An optional may always be nil.
package enum Constraint: Hashable, Sendable {
    /// The inclusive bounds of numbers, durations and dates.
    case range(minimum: DefaultValue?, maximum: DefaultValue?)
    /// The length of strings in characters, or of data in bytes.
    case length(Limits)
    /// The number of elements of a collection.
    case count(Limits)
    /// A regular expression in Swift's syntax that a whole string must match.
    case pattern(String)
    /// The only allowed values.
    case choices([DefaultValue])
    /// The constraints on each element of an array or a set, or each value of a dictionary.
    case each([Constraint])

    /// The minimum and the maximum of a count.
    package struct Limits: Hashable, Sendable {
        package var minimum: Int?
        package var maximum: Int?

        package init(minimum: Int?, maximum: Int?) {
            self.minimum = minimum
            self.maximum = maximum
        }
    }
}
