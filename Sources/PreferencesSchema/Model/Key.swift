/// One typed preference.
package struct Key: Sendable {
    package var name: Name
    /// What the value is stored under: the ids of the namespaces around the key and its own, joined by colons.
    package var storageName: String
    package var documentation: KeyDocumentation
    package var access: AccessLevel
    /// That of the setter, where it is narrower.
    package var setAccess: AccessLevel?
    package var isReadOnly: Bool
    package var isSecret: Bool
    /// The message for those who use the key still.
    package var deprecation: String?
    /// What the value was stored under before, newest first.
    package var formerNames: [String]
    package var type: ValueType
    package var defaultValue: KeyDefault
    package var constraints: [Constraint]
}

/// What a schema says about a key to its readers.
package struct KeyDocumentation: Sendable {
    package var description: String?
    /// What a user interface calls the key.
    package var label: String?
    /// What a number counts: `°C`.
    package var unit: String?
}

/// What a key reads as while it is not set.
package enum KeyDefault: Hashable, Sendable {
    /// A value, and the other ones that some platforms have.
    case value(DefaultValue, platforms: [PlatformDefault] = [])
    /// A Swift expression without spaces around it, evaluated at each read.
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

/// A platform that may have defaults of its own, by the name that schemas use.
package enum Platform: String, CaseIterable, Sendable {
    case macOS
    case iOS
    case tvOS
    case watchOS
    case visionOS
    case linux
    case windows

    /// What Swift's `os()` calls it.
    package var conditionName: String {
        switch self {
        case .linux: "Linux"
        case .windows: "Windows"
        default: rawValue
        }
    }
}

/// A value that a schema writes, a default above all, checked against its type.
package enum DefaultValue: Hashable, Sendable {
    case none
    case bool(Bool)
    case integer(Int128)
    /// A `Double` or `Float` as the schema writes it: the shortest text that says what its author meant.
    case decimal(String)
    case string(String)
    case data([UInt8])
    /// Seconds since 2001-01-01 00:00 UTC, and the text that the schema has.
    case date(secondsSinceReference: Double, text: String)
    case url(String)
    case uuid(String)
    /// In attoseconds (10⁻¹⁸ s).
    case duration(attoseconds: Int128)
    /// A case of a declared enum, by its Swift name.
    case enumCase(String)
    case array([DefaultValue])
    /// Sorted by key.
    case dictionary([Entry])
    /// The fields that are given, in the order in which the struct declares them.
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

/// What the values of a key must be, beyond their type. Of an optional, nil is always allowed.
package enum Constraint: Hashable, Sendable {
    /// Numbers, durations and dates: not below the one, not above the other.
    case range(minimum: DefaultValue?, maximum: DefaultValue?)
    /// Strings, in characters, and data, in bytes.
    case length(Limits)
    /// Collections, in elements.
    case count(Limits)
    /// Strings: a regular expression, in Swift's syntax, that the whole of them matches.
    case pattern(String)
    /// The only values there are.
    case choices([DefaultValue])
    /// What each element of an array or set, or each value of a dictionary, must be.
    case each([Constraint])

    /// How many there may be, at least and at most.
    package struct Limits: Hashable, Sendable {
        package var minimum: Int?
        package var maximum: Int?

        package init(minimum: Int?, maximum: Int?) {
            self.minimum = minimum
            self.maximum = maximum
        }
    }
}
