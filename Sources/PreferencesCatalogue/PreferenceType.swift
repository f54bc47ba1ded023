public import PreferencesRuntime

/// The type of a key's values, for programs that handle keys of all types, such as settings forms.
public indirect enum PreferenceType: Sendable, CustomStringConvertible {
    /// `Bool`.
    case bool
    /// An integer type.
    case integer(IntegerType)
    /// `Float`.
    case float
    /// `Double`.
    case double
    /// `String`.
    case string
    /// `Data`.
    case data
    /// `Date`.
    case date
    /// `URL`.
    case url
    /// `UUID`.
    case uuid
    /// `Duration`.
    case duration
    /// An enum of the schema.
    case enumeration(Enumeration)
    /// A struct of the schema.
    case structure(Structure)
    /// A type that is declared in Swift, by its name.
    case external(String, valueType: (any PreferenceConvertible.Type)?)
    /// An array.
    case array(PreferenceType)
    /// A set.
    case set(PreferenceType)
    /// A dictionary with `String` keys.
    case dictionary(PreferenceType)
    /// An optional.
    case optional(PreferenceType)

    /// An integer type, by its name in Swift.
    public enum IntegerType: String, Sendable, CaseIterable {
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
    }

    /// An enum of the schema.
    public struct Enumeration: Sendable {
        /// The name of the type.
        public let name: String
        /// The cases, in the order of the schema.
        public let cases: [Case]
        let valueType: (any PreferenceConvertible.Type)?

        /// A case of an enum.
        public struct Case: Sendable {
            /// The name in Swift.
            public let name: String
            /// The stored value: a string or an integer.
            public let rawValue: PreferenceValue
            /// The name in a user interface; nil if the schema has none.
            public let label: String?
            /// The description; nil if the schema has none.
            public let description: String?

            /// Creates a case. Generated code calls it.
            public init(_ name: String, rawValue: PreferenceValue, label: String? = nil, description: String? = nil) {
                self.name = name
                self.rawValue = rawValue
                self.label = label
                self.description = description
            }
        }

        /// Creates an enum. Generated code calls it.
        ///
        /// - Parameters:
        ///   - name: The name of the type.
        ///   - cases: The cases.
        ///   - valueType: The Swift type; nil, the default, if the program does not have it.
        public init(_ name: String, cases: [Case], valueType: (any PreferenceConvertible.Type)? = nil) {
            self.name = name
            self.valueType = valueType
            self.cases = cases
        }
    }

    /// A struct of the schema.
    public struct Structure: Sendable {
        /// The name of the type.
        public let name: String
        private let makeFields: @Sendable () -> [Field]
        let valueType: (any PreferenceConvertible.Type)?

        /// The fields, in the order of the schema.
        public var fields: [Field] { makeFields() }

        /// A field of a struct.
        public struct Field: Sendable {
            /// The name in Swift.
            public let name: String
            /// The name in stored values.
            public let id: String
            /// The type.
            public let type: PreferenceType
            /// Whether stored values must have the field.
            public let isRequired: Bool
            /// The description; nil if the schema has none.
            public let description: String?

            /// Creates a field. Generated code calls it.
            public init(
                _ name: String,
                id: String,
                type: PreferenceType,
                isRequired: Bool,
                description: String? = nil
            ) {
                self.name = name
                self.id = id
                self.type = type
                self.isRequired = isRequired
                self.description = description
            }
        }

        /// Creates a struct. Generated code calls it.
        ///
        /// - Parameters:
        ///   - name: The name of the type.
        ///   - fields: The fields.
        ///   - valueType: The Swift type; nil, the default, if the program does not have it.
        public init(
            _ name: String,
            fields: [Field],
            valueType: (any PreferenceConvertible.Type)? = nil
        ) {
            self.init(name, fields: { fields }, valueType: valueType)
        }

        /// Creates a struct whose fields may contain values of the struct itself.
        ///
        /// - Parameters:
        ///   - name: The name of the type.
        ///   - fields: Returns the fields. It is called at each use.
        ///   - valueType: The Swift type; nil, the default, if the program does not have it.
        public init(
            _ name: String,
            fields: @escaping @Sendable () -> [Field],
            valueType: (any PreferenceConvertible.Type)? = nil
        ) {
            self.name = name
            self.valueType = valueType
            makeFields = fields
        }
    }

    /// Creates the type of a Swift type that a schema does not declare. Generated code calls it.
    ///
    /// - Parameters:
    ///   - name: The name of the type.
    ///   - type: The type.
    public static func external<Value: Codable & Sendable>(_ name: String, _ type: Value.Type) -> PreferenceType {
        .external(name, valueType: type as? any PreferenceConvertible.Type ?? CodedValue<Value>.self)
    }

    /// The type as it is written in Swift: `[Double]?`.
    public var description: String {
        switch self {
        case .bool: "Bool"
        case .integer(let type): type.rawValue
        case .float: "Float"
        case .double: "Double"
        case .string: "String"
        case .data: "Data"
        case .date: "Date"
        case .url: "URL"
        case .uuid: "UUID"
        case .duration: "Duration"
        case .enumeration(let type): type.name
        case .structure(let type): type.name
        case .external(let name, _): name
        case .array(let element): "[\(element)]"
        case .set(let element): "Set<\(element)>"
        case .dictionary(let value): "[String: \(value)]"
        case .optional(let wrapped): "\(wrapped)?"
        }
    }

    /// Whether the type is an optional, so that its values can be nil.
    public var isOptional: Bool {
        if case .optional = self { true } else { false }
    }

    /// The wrapped type of an optional; otherwise the type itself.
    public var unwrapped: PreferenceType {
        if case .optional(let wrapped) = self { wrapped.unwrapped } else { self }
    }

    /// The type inside all arrays, sets, dictionaries and optionals; otherwise the type itself.
    package var innermost: PreferenceType {
        switch self {
        case .array(let part), .set(let part), .dictionary(let part), .optional(let part): part.innermost
        default: self
        }
    }
}
