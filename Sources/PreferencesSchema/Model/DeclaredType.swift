/// A type that a schema declares and that is generated.
package enum DeclaredType: Sendable {
    case enumeration(EnumType)
    case structure(StructType)

    package var name: Name {
        switch self {
        case .enumeration(let type): type.name
        case .structure(let type): type.name
        }
    }

    package var access: AccessLevel {
        switch self {
        case .enumeration(let type): type.access
        case .structure(let type): type.access
        }
    }
}

/// A Swift enum.
package struct EnumType: Sendable {
    package var name: Name
    package var description: String?
    package var cases: [Case]
    /// Wide enough for every accessor that uses the type, and not narrower than the file's own access.
    package var access: AccessLevel
    package var rawType: RawType

    package enum RawType: String, Sendable {
        case string = "String"
        case int = "Int"
    }

    package struct Case: Sendable {
        package var name: Name
        package var rawValue: RawValue
        /// What a user interface calls the case.
        package var label: String?
        package var description: String?
    }

    package enum RawValue: Hashable, Sendable {
        case string(String)
        case int(Int64)
    }

    /// Whether any case has a label, so that all have one.
    package var hasLabels: Bool { cases.contains { $0.label != nil } }
}

/// A Swift struct.
package struct StructType: Sendable {
    package var name: Name
    package var description: String?
    package var fields: [Field]
    /// As an ``EnumType`` has it.
    package var access: AccessLevel
    /// Whether its fields are, which is not known of external types.
    package var isHashable: Bool

    package struct Field: Sendable {
        package var name: Name
        /// What the field is called in stored values.
        package var id: String
        package var description: String?
        package var type: ValueType
        /// Nil where a value must be given, and stored.
        package var defaultValue: DefaultValue?
    }
}
