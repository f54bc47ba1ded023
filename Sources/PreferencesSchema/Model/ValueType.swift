/// The type of a key's values.
package enum ValueType: Hashable, Sendable {
    case bool
    case integer(IntegerType)
    case float
    case double
    case string
    case data
    case date
    case url
    case uuid
    case duration
    /// An enum that the schema declares, by its name.
    case enumeration(String)
    /// A struct that the schema declares, by its name.
    case structure(String)
    /// A type declared outside the schema, by its name in the schema and its name in Swift.
    indirect case external(String, swiftName: String)
    indirect case array(ValueType)
    indirect case set(ValueType)
    /// A dictionary with `String` keys.
    indirect case dictionary(ValueType)
    indirect case optional(ValueType)

    /// The built-in types by their names.
    package static let builtIn: [String: ValueType] = {
        var types: [String: ValueType] = [
            "Bool": .bool, "Float": .float, "Double": .double, "String": .string, "Data": .data, "Date": .date,
            "URL": .url, "UUID": .uuid, "Duration": .duration,
        ]
        for integer in IntegerType.allCases { types[integer.rawValue] = .integer(integer) }
        return types
    }()

    /// The type as spelled in Swift.
    package var swiftName: String {
        switch self {
        case .bool: "Bool"
        case .integer(let integer): integer.rawValue
        case .float: "Float"
        case .double: "Double"
        case .string: "String"
        case .data: "Data"
        case .date: "Date"
        case .url: "URL"
        case .uuid: "UUID"
        case .duration: "Duration"
        case .enumeration(let name), .structure(let name): name
        case .external(_, let name): name
        case .array(let element): "[\(element.swiftName)]"
        case .set(let element): "Set<\(element.swiftName)>"
        case .dictionary(let value): "[String: \(value.swiftName)]"
        case .optional(let wrapped): "\(wrapped.swiftName)?"
        }
    }

    package var isOptional: Bool {
        if case .optional = self { true } else { false }
    }

    /// The wrapped type of an optional, otherwise the type itself.
    package var unwrapped: ValueType {
        if case .optional(let wrapped) = self { wrapped } else { self }
    }

    /// The scalar or declared type from which this type is built. There is only one, since the keys of dictionaries
    /// are `String`.
    package var leaf: ValueType {
        switch self {
        case .array(let inner), .set(let inner), .dictionary(let inner), .optional(let inner): inner.leaf
        default: self
        }
    }
}

/// The integer types, by their Swift names.
package enum IntegerType: String, CaseIterable, Hashable, Sendable {
    case int = "Int"
    case int8 = "Int8"
    case int16 = "Int16"
    case int32 = "Int32"
    case int64 = "Int64"
    case uint = "UInt"
    case uint8 = "UInt8"
    case uint16 = "UInt16"
    case uint32 = "UInt32"
    case uint64 = "UInt64"

    /// The values of the type. `Int` and `UInt` have 64 bits on every supported platform but watchOS's arm64_32,
    /// where the compiler rejects a literal that does not fit.
    package var range: ClosedRange<Int128> {
        switch self {
        case .int, .int64: Self.range(of: Int64.self)
        case .int8: Self.range(of: Int8.self)
        case .int16: Self.range(of: Int16.self)
        case .int32: Self.range(of: Int32.self)
        case .uint, .uint64: Self.range(of: UInt64.self)
        case .uint8: Self.range(of: UInt8.self)
        case .uint16: Self.range(of: UInt16.self)
        case .uint32: Self.range(of: UInt32.self)
        }
    }

    private static func range<Integer: FixedWidthInteger>(of type: Integer.Type) -> ClosedRange<Int128> {
        Int128(Integer.min)...Int128(Integer.max)
    }
}

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
    /// The access level: that of the most visible accessor that uses the type, or the file's own if that is wider.
    package var access: AccessLevel
    package var rawType: RawType

    package enum RawType: String, Sendable {
        case string = "String"
        case int = "Int"
    }

    package struct Case: Sendable {
        package var name: Name
        package var rawValue: RawValue
        /// The name of the case in a user interface.
        package var label: String?
        package var description: String?
    }

    package enum RawValue: Hashable, Sendable {
        case string(String)
        case int(Int64)
    }

    /// Whether any case has a label, so that all get one.
    package var hasLabels: Bool { cases.contains { $0.label != nil } }
}

/// A Swift struct.
package struct StructType: Sendable {
    package var name: Name
    package var description: String?
    package var fields: [Field]
    /// The access level, as for ``EnumType/access``.
    package var access: AccessLevel
    /// Whether all fields are hashable. Unknown, and so false, for fields of external types.
    package var isHashable: Bool

    package struct Field: Sendable {
        package var name: Name
        /// The name of the field in stored values.
        package var id: String
        package var description: String?
        package var type: ValueType
        /// The default, or nil if a value is required.
        package var defaultValue: DefaultValue?
    }
}
