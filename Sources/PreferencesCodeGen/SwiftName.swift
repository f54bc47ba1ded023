import PreferencesSchema

/// Swift's spelling of names.
enum SwiftName {
    /// Returns the name as it is written in code, with backticks if it is a keyword.
    static func escaped(_ name: String) -> String {
        keywords.contains(name) ? "`\(name)`" : name
    }

    /// Returns the name as an argument label, where only one keyword needs backticks, and the compiler warns of others.
    static func argumentLabel(_ name: String) -> String {
        name == "inout" ? "`inout`" : name
    }

    /// Returns the name as the beginning of an expression, where contextual keywords need backticks as well.
    static func escapedOperand(_ name: String) -> String {
        prefixWords.contains(name) ? "`\(name)`" : escaped(name)
    }

    /// Returns the name as a type, where the names of type modifiers need backticks as well.
    static func escapedType(_ name: String) -> String {
        typeModifiers.contains(name) ? "`\(name)`" : escapedOperand(name)
    }

    /// The contextual keywords that the parser reads as modifiers of a type (The Swift Programming Language, "Types";
    /// SE-0335, SE-0377, SE-0393, SE-0430, SE-0461).
    private static let typeModifiers: Set<String> = [
        "__owned", "__shared", "_const", "any", "borrowing", "consuming", "each", "isolated", "nonisolated", "sending",
        "some",
    ]

    /// The contextual keywords that the parser reads as prefix operators (SE-0296, SE-0366, SE-0377, SE-0390, SE-0458).
    private static let prefixWords: Set<String> = ["await", "consume", "copy", "discard", "unsafe"]

    /// The reserved keywords (The Swift Programming Language, "Lexical Structure", keywords used in declarations,
    /// statements, expressions and types), and the two names that members must not have without backticks.
    private static let keywords: Set<String> = [
        "Any", "Protocol", "Self", "Type", "as", "associatedtype", "break", "case", "catch", "class", "continue",
        "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for",
        "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator",
        "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "self", "static", "struct",
        "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
    ]

    /// Returns the spelling of a type.
    static func type(_ type: ValueType) -> String {
        switch type {
        case .enumeration(let name), .structure(let name): escapedType(name)
        case .external(_, let name): qualifiedType(name)
        case .array(let element): "[\(self.type(element))]"
        case .set(let element): "Set<\(self.type(element))>"
        case .dictionary(let value): "[String: \(self.type(value))]"
        case .optional(let wrapped): "\(self.type(wrapped))?"
        default: type.swiftName
        }
    }

    /// Returns the name of a type that may be in a module or in another type: `MapTools.Region`.
    static func qualifiedType(_ name: String) -> String {
        name.split(separator: ".").map { escapedType(String($0)) }.joined(separator: ".")
    }

    /// Returns the access modifier of a type's member, followed by a space; empty for `internal`.
    static func memberModifier(_ access: AccessLevel) -> String {
        access == .internal ? "" : access.rawValue + " "
    }

    /// Returns the access modifier of a declaration at file scope, where `private` is equivalent to `fileprivate`.
    static func fileScopeModifier(_ access: AccessLevel) -> String {
        access == .fileprivate ? "private " : memberModifier(access)
    }
}

/// Whether the names of a schema follow Swift's naming rules, which is the choice of the schema's author.
struct NameStyle {
    private var memberNames: [String]
    private var typeNames: [String]

    /// - Parameters:
    ///   - hasOwnKeys: Whether the file has a protocol, which is named after it.
    ///   - catalogue: The catalogue that the file contains; nil if it has none.
    init(_ schema: Schema, hasOwnKeys: Bool, _ catalogue: CatalogueContents?) {
        let namespaces = schema.allNamespaces
        // One statement for each, since the compiler takes seconds for one expression.
        memberNames = schema.types.flatMap(\.memberNames)
        typeNames = schema.types.map(\.name.text)
        for namespace in namespaces {
            memberNames += namespace.keys.map(\.name.text)
            memberNames += namespace.path.map(\.text)
            memberNames += namespace.namesOfUnderscoredTraits
            if !namespace.isRoot { typeNames.append(namespace.typeName) }
        }
        if hasOwnKeys, let name = schema.typeName { typeNames.append(name) }
        if let catalogue { memberNames += catalogue.memberNames }
    }

    /// The rules of `swift format` that the names violate.
    var rulesToIgnore: [String] {
        var rules: [String] = []
        if memberNames.contains(where: Self.isNotLowerCamelCase) {
            rules.append("AlwaysUseLowerCamelCase")
        }
        if (memberNames + typeNames).contains(where: { !$0.isPlainASCII }) {
            rules.append("IdentifiersMustBeASCII")
        }
        if typeNames.contains(where: { $0.first { $0 != "_" }?.isLowercase == true }) {
            rules.append("TypeNamesShouldBeCapitalized")
        }
        return rules
    }

    private static func isNotLowerCamelCase(_ name: String) -> Bool {
        // Most names are ASCII, whose bytes are cheaper to examine than characters.
        guard name.isPlainASCII else { return name.first?.isUppercase == true || name.dropFirst().contains("_") }
        var name = name
        return name.withUTF8 { bytes in
            bytes.first.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) } == true
                || bytes.dropFirst().contains(UInt8(ascii: "_"))
        }
    }
}

extension Namespace {
    /// The names of the traits' properties that begin with two underscores, which the names of the keys do not.
    fileprivate var namesOfUnderscoredTraits: [String] {
        keys.lazy.filter { $0.name.text.hasPrefix("_") }.compactMap { AccessorCall($0).sharedTraits?.name }
    }
}

extension DeclaredType {
    fileprivate var memberNames: [String] {
        switch self {
        case .enumeration(let type): type.cases.map(\.name.text)
        case .structure(let type): type.fields.map(\.name.text)
        }
    }
}
