/// A GVariant type, by its signature: `as` is an array of strings.
indirect enum VariantType: Equatable {
    /// One letter that stands for a number or a truth value.
    case basic(Character)
    /// Text, an object path or a signature.
    case text
    case array(VariantType)
    /// `a{s…}`.
    case dictionary(VariantType)
    case maybe(VariantType)

    /// Nil for a signature that a schema has no type for, such as a tuple's, and for what is none.
    init?(signature: String) {
        var rest = signature[...]
        guard let type = Self.take(from: &rest, depth: 0), rest.isEmpty else { return nil }
        self = type
    }

    /// Deeper than settings are, and within what a schema's types may be.
    private static let maximumDepth = 16

    private static func take(from rest: inout Substring, depth: Int) -> VariantType? {
        guard depth < maximumDepth, let letter = rest.popFirst() else { return nil }
        switch letter {
        case "b", "y", "n", "q", "i", "u", "x", "t", "d":
            return .basic(letter)
        case "s", "o", "g":
            return .text
        case "m":
            guard let wrapped = take(from: &rest, depth: depth + 1) else { return nil }
            // A schema has no optionals of optionals.
            if case .maybe = wrapped { return nil }
            return .maybe(wrapped)
        case "a" where rest.first == "{":
            rest = rest.dropFirst()
            guard rest.popFirst() == "s", let value = take(from: &rest, depth: depth + 1), rest.popFirst() == "}" else {
                return nil
            }
            return .dictionary(value)
        case "a":
            return take(from: &rest, depth: depth + 1).map(VariantType.array)
        default:
            return nil
        }
    }

    /// Swift's names of the basic types.
    static let names: [Character: String] = [
        "b": "Bool", "y": "UInt8", "n": "Int16", "q": "UInt16", "i": "Int32", "u": "UInt32", "x": "Int64",
        "t": "UInt64", "d": "Double",
    ]

    var importedType: ImportedType {
        switch self {
        case .basic(let letter): .named(Self.names[letter] ?? "String")
        case .text: .string
        case .array(let element): .array(element.importedType)
        case .dictionary(let value): .dictionary(value.importedType)
        case .maybe(let wrapped): .optional(wrapped.importedType)
        }
    }
}
