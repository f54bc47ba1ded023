/// A value as a schema writes it.
enum ImportedValue: Hashable, Sendable {
    case null
    case bool(Bool)
    /// A number in the grammar of JSON.
    case number(String)
    case string(String)
    case array([ImportedValue])
    case object([Member])
    /// A case of one of the schema's enums, whose name is made up later.
    case enumCase(type: Int, index: Int)

    struct Member: Hashable, Sendable {
        var name: String
        var value: ImportedValue
    }

    /// Whether it is text or a list, and there is nothing in it.
    var isEmpty: Bool { self == .string("") || self == .array([]) }
}

/// A type as a schema spells it.
indirect enum ImportedType: Hashable, Sendable {
    /// One of Swift's own.
    case named(String)
    /// One of the schema's enums.
    case enumeration(Int)
    case array(ImportedType)
    case set(ImportedType)
    case dictionary(ImportedType)
    case optional(ImportedType)

    static let string = ImportedType.named("String")

    /// The type, as one whose value may be missing.
    var asOptional: ImportedType {
        if case .optional = self { return self }
        return .optional(self)
    }

    /// - Parameter enumNames: The names of the schema's enums.
    func spelling(_ enumNames: [String]) -> String {
        switch self {
        case .named(let name): name
        case .enumeration(let index): enumNames[index]
        case .array(let element): "[\(element.spelling(enumNames))]"
        case .set(let element): "Set<\(element.spelling(enumNames))>"
        case .dictionary(let value): "[String: \(value.spelling(enumNames))]"
        case .optional(let wrapped): wrapped.spelling(enumNames) + "?"
        }
    }

    /// The enum that a value is of, or consists of.
    var enumeration: Int? {
        switch self {
        case .named: nil
        case .enumeration(let index): index
        case .array(let inner), .set(let inner), .dictionary(let inner), .optional(let inner): inner.enumeration
        }
    }
}
