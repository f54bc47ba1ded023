/// The contents of one imported file, as a model of the schema to write.
struct ImportedSchema: Sendable {
    var description: String?
    var enums: [ImportedEnum] = []
    /// A struct precedes those of its fields.
    var structs: [ImportedStruct] = []
    /// The top-level keys and namespaces.
    var root = ImportedNamespace(id: "", names: [], line: nil)
    /// The store that finds the values of the imported program by the storage names of its keys; `nil` if there is none
    /// for this format alone.
    var storeName: String?
    /// The imported schemas of GSettings; none for other formats.
    var gSettings: [GSettingsSchema] = []
}

struct ImportedNamespace: Sendable {
    /// The component of storage names.
    var id: String
    /// The candidates for the name, the best first, in any spelling; after naming, the name alone.
    var names: [String]
    var description: String?
    var keys: [ImportedKey] = []
    var namespaces: [ImportedNamespace] = []
    /// The path of the values in GSettings, such as `/org/example/clock/`.
    var path: String?
    /// Whether the name equals that of another member of the namespace except for case and punctuation.
    var isSimilarToAnother = false
    /// The line of the declaration.
    var line: Int?
}

struct ImportedKey: Sendable {
    /// The last component of the storage name.
    var id: String
    /// The whole storage name, if it is not composed of ids.
    var storageName: String?
    /// The name, in any spelling; after naming, a Swift identifier.
    var name: String
    var type: ImportedType
    /// The default value; `nil` for an optional without one.
    var defaultValue: ImportedValue?
    /// The default as a Swift expression, where JSON cannot represent it.
    var defaultExpression: String?
    var description: String?
    var label: String?
    /// The bounds, as numbers in the grammar of JSON.
    var minimum: String?
    var maximum: String?
    var choices: [ImportedValue] = []
    /// The permitted values of elements.
    var elementChoices: [ImportedValue] = []
    var isSecret = false
    var isReadOnly = false
    /// Whether the name or storage name equals that of another key except for case and punctuation.
    var isSimilarToAnother = false
    /// The name in GSettings; `nil` for other formats.
    var gSettingsName: GSettingsKeyName?
    /// The path of the declaring file, if that is not the imported file.
    var path: String?
    var line: Int?

    init(id: String, name: String? = nil, type: ImportedType, line: Int?) {
        self.id = id
        self.name = name ?? id
        self.type = type
        self.line = line
    }
}

struct ImportedStruct: Sendable {
    /// The candidates for the name, the best first, in any spelling; after naming, the name alone.
    var names: [String]
    /// The fields, with the names in stored values as their ids.
    var fields: [ImportedKey]
    /// The line of the dictionary.
    var line: Int?
}

struct ImportedEnum: Sendable {
    /// The candidates for the name, the best first, in any spelling; after naming, the name alone.
    var names: [String]
    var cases: [Case]
    var description: String?
    /// The path of the declaring file, if that is not the imported file.
    var path: String?
    var line: Int?

    struct Case: Sendable {
        /// The name, in any spelling; after naming, a Swift identifier.
        var name: String
        var value: Value
        var label: String?
        var description: String?
    }

    enum Value: Hashable, Sendable {
        case string(String)
        case integer(Int64)
    }
}

/// A value in a schema.
enum ImportedValue: Hashable, Sendable {
    case null
    case bool(Bool)
    /// A number in the grammar of JSON.
    case number(String)
    case string(String)
    case array([ImportedValue])
    case object([Member])
    /// A case of one of the schema's enums, which is named later.
    case enumCase(type: Int, index: Int)

    struct Member: Hashable, Sendable {
        var name: String
        var value: ImportedValue
    }

    /// Whether the value is an empty string or array.
    var isEmpty: Bool { self == .string("") || self == .array([]) }
}

/// A type in a schema.
indirect enum ImportedType: Hashable, Sendable {
    /// A standard type, by its Swift name.
    case named(String)
    /// An enum of the schema, by its index.
    case enumeration(Int)
    /// A struct of the schema, by its index.
    case structure(Int)
    case array(ImportedType)
    case set(ImportedType)
    case dictionary(ImportedType)
    case optional(ImportedType)

    static let string = ImportedType.named("String")

    /// The optional of the type, or the type itself if it is optional.
    var asOptional: ImportedType {
        if case .optional = self { return self }
        return .optional(self)
    }

    /// Returns the spelling of the type in a schema.
    ///
    /// - Parameter names: The names of the schema's enums and structs.
    func spelling(_ names: ImportedTypeNames) -> String {
        switch self {
        case .named(let name): name
        case .enumeration(let index): names.enums[index]
        case .structure(let index): names.structs[index]
        case .array(let element): "[\(element.spelling(names))]"
        case .set(let element): "Set<\(element.spelling(names))>"
        case .dictionary(let value): "[String: \(value.spelling(names))]"
        case .optional(let wrapped): wrapped.spelling(names) + "?"
        }
    }

    /// The index of the enum that the type, or its element type, refers to.
    var enumeration: Int? {
        switch self {
        case .named, .structure: nil
        case .enumeration(let index): index
        case .array(let inner), .set(let inner), .dictionary(let inner), .optional(let inner): inner.enumeration
        }
    }
}

/// The names of the types of a schema, by index.
struct ImportedTypeNames {
    var enums: [String] = []
    var structs: [String] = []
}

// MARK: - Constraints

extension ImportedSchema {
    /// Removes the constraints that are violated by the defaults of their keys, because such a schema is invalid.
    mutating func removeViolatedConstraints(path: String, remarks: inout [Remark]) {
        root.removeViolatedConstraints(path: path, remarks: &remarks)
    }
}

extension ImportedNamespace {
    fileprivate mutating func removeViolatedConstraints(path: String, remarks: inout [Remark]) {
        for index in keys.indices { keys[index].removeViolatedConstraints(path: path, remarks: &remarks) }
        for index in namespaces.indices { namespaces[index].removeViolatedConstraints(path: path, remarks: &remarks) }
    }
}

extension ImportedKey {
    fileprivate mutating func removeViolatedConstraints(path: String, remarks: inout [Remark]) {
        func remark(_ constraint: String, _ reason: String) {
            let message = "\(constraint) of key '\(id)' is left out: \(reason)"
            remarks.append(Remark(path: self.path ?? path, line: line, message: message))
        }
        if let low = minimum.flatMap(Double.init), let high = maximum.flatMap(Double.init), low > high {
            remark("the range \(minimum ?? "") to \(maximum ?? "")", "it is empty")
            (minimum, maximum) = (nil, nil)
        }
        if case .number(let text)? = defaultValue, let value = Double(text) {
            if let bound = minimum, let low = Double(bound), value < low {
                remark("the minimum \(bound)", "it is above the default \(text)")
                minimum = nil
            }
            if let bound = maximum, let high = Double(bound), value > high {
                remark("the maximum \(bound)", "it is below the default \(text)")
                maximum = nil
            }
        }
        if let value = defaultValue, value != .null, !choices.isEmpty, !choices.contains(value) {
            remark("the list of choices", "it does not contain the default")
            choices = []
        }
        if case .array(let values)? = defaultValue, !elementChoices.isEmpty,
            !values.allSatisfy(elementChoices.contains)
        {
            remark("the list of choices", "it does not contain all elements of the default")
            elementChoices = []
        }
    }
}
