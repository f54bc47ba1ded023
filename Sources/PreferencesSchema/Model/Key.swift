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
