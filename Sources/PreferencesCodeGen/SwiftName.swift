import PreferencesSchema

/// Swift's spelling of names.
enum SwiftName {
    /// The name as it is written in code: with backticks where the bare word is a keyword.
    static func escaped(_ name: String) -> String {
        keywords.contains(name) ? "`\(name)`" : name
    }

    /// The name as the label of an argument, where the compiler warns of backticks that all but one keyword can do without.
    static func argumentLabel(_ name: String) -> String {
        name == "inout" ? "`inout`" : name
    }

    /// The name where it stands by itself as an expression, at whose beginning some more words mean something else.
    static func escapedOperand(_ name: String) -> String {
        prefixWords.contains(name) ? "`\(name)`" : escaped(name)
    }

    /// The name of a type, where some more words would modify the type that follows them.
    static func escapedType(_ name: String) -> String {
        typeModifiers.contains(name) ? "`\(name)`" : escapedOperand(name)
    }

    /// The words that the parser takes for modifiers of a type (The Swift Programming Language, "Types"; SE-0335, SE-0377,
    /// SE-0393, SE-0430, SE-0461).
    private static let typeModifiers: Set<String> = [
        "__owned", "__shared", "_const", "any", "borrowing", "consuming", "each", "isolated", "nonisolated", "sending",
        "some",
    ]

    /// The words that take what follows them for their operand (SE-0296, SE-0366, SE-0377, SE-0390, SE-0458).
    private static let prefixWords: Set<String> = ["await", "consume", "copy", "discard", "unsafe"]

    /// The words that Swift's lexer never takes for a name (The Swift Programming Language, "Lexical Structure", keywords
    /// used in declarations, statements, expressions and types), and the two that no member can be called without
    /// backticks.
    private static let keywords: Set<String> = [
        "Any", "Protocol", "Self", "Type", "as", "associatedtype", "break", "case", "catch", "class", "continue",
        "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for",
        "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator",
        "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "self", "static", "struct",
        "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
    ]

    /// The spelling of a type.
    static func type(_ type: ValueType) -> String {
        switch type {
        case .enumeration(let name), .structure(let name): escapedType(name)
        case .external(_, let name): name.split(separator: ".").map { escapedType(String($0)) }.joined(separator: ".")
        case .array(let element): "[\(self.type(element))]"
        case .set(let element): "Set<\(self.type(element))>"
        case .dictionary(let value): "[String: \(self.type(value))]"
        case .optional(let wrapped): "\(self.type(wrapped))?"
        default: type.swiftName
        }
    }

    /// A modifier with a space behind it, or nothing for `internal`, for a member of a type.
    static func memberModifier(_ access: AccessLevel) -> String {
        access == .internal ? "" : access.rawValue + " "
    }

    /// The same for a declaration at the top of a file, where `private` means what `fileprivate` does.
    static func fileScopeModifier(_ access: AccessLevel) -> String {
        access == .fileprivate ? "private " : memberModifier(access)
    }
}
