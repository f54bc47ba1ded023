import Foundation
import PreferencesSchema
import TestSupport

extension SeededRandom {
    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

    /// Returns true once in a number of times on average.
    mutating func chance(_ times: Int) -> Bool { below(times) == 0 }
}

// MARK: - Names and texts at random

extension SchemaMaker {
    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[random.below(elements.count)] }

    /// Names with a meaning in Swift, in the runtime or in generated code, or with an unusual form. They are not used
    /// where they are reserved.
    static let names = [
        "Any", "Self", "self", "init", "deinit", "default", "class", "struct", "func", "var", "let", "in", "is", "as",
        "try", "throw", "throws", "rethrows", "return", "switch", "case", "where", "true", "false", "nil", "super",
        "import", "operator", "subscript", "static", "public", "private", "internal", "inout", "async", "await",
        "actor", "any", "some", "each", "macro", "package", "open", "get", "set", "willSet", "didSet", "lazy", "weak",
        "unowned", "mutating", "nonmutating", "indirect", "none", "left", "right", "prefix", "consume", "copy",
        "discard", "unsafe", "borrowing", "sending", "nonisolated", "isolated", "repeat", "Type", "Protocol", "borrow",
        "yield", "Date", "URL", "UUID", "Data", "Duration", "Int", "String", "Bool", "Double", "Float", "Set", "Array",
        "Dictionary", "Optional", "Void", "Error", "Codable", "Decoder", "Encoder", "Foundation", "Swift",
        "Preferences", "PreferenceTrait", "FileStore", "ExternalPoint", "Externals", "RequiredRuntime", "CodingKeys",
        "Element", "Wrapped", "Key", "Value", "ID", "Hasher", "Result", "Sequence", "Task", "MainActor", "hasher",
        "customMirror", "index", "fatalError", "precondition", "zip", "into", "first", "second", "other", "preferences",
        "storageName", "unprefixedStorageNames", "formerStorageNames", "value", "newValue", "oldValue", "container",
        "decoder", "encoder", "key",
        "rawValue", "hash", "hashValue", "_rawHashValue", "preferenceValue", "description", "debugDescription", "label",
        "name", "id", "type", "allCases", "RawValue", "encode", "decode", "from", "to", "constant", "traits", "map",
        "filter", "count", "isEmpty", "range", "pattern", "length", "secret", "renamed", "oneOf", "print", "min", "max",
        "abs", "dynamicType", "a", "A", "aB", "_a", "a_b", "__", "_1", "x1", "größe", "Größe", "日本語", "π", "é", "ﬁ",
        "Ⅷ", "Ω", "ⓐ", "ß",
        "aVeryLongNameOfManyWordsThatGoesOnAndOnUntilItIsLongerThanAnyoneWouldEverWriteByHandInASchemaOfPreferences",
    ]

    /// Returns a valid Swift name that is not taken.
    ///
    /// - Parameter isTaken: Whether the name is reserved or another's; compared with others by ``String/decomposed``.
    mutating func name(capitalized: Bool = false, isTaken: (String) -> Bool) -> String {
        while true {
            var name = random.chance(3) ? pick(Self.names) : word() + (random.chance(2) ? word().capitalizedFirst : "")
            if capitalized, !random.chance(10) { name = name.capitalizedFirst }
            if isTaken(name) { name += "\(random.below(1000))" }
            if Identifier.isValid(name), !isTaken(name) { return name }
        }
    }

    mutating func uniqueNames(_ counts: ClosedRange<Int>, isReserved: (String) -> Bool) -> [String] {
        var taken: Set<String> = []
        return (0..<counts.lowerBound + random.below(counts.count)).map { _ in
            let name = name { isReserved($0) || taken.contains($0.decomposed) }
            taken.insert(name.decomposed)
            return name
        }
    }

    /// A part of a storage name that is unique.
    mutating func uniqueID(beside others: Set<String>) -> String {
        let taken = Set(others.map(\.decomposed))
        while true {
            let odd = ["-", " ", ".", "\"", "\\", "$", "é", "😀", "_", "/", "\\(0)", "#", "%@", "\u{2028}"]
            let id = word() + pick(odd) + word() + (random.chance(5) ? pick(odd) : "")
            if !taken.contains(id.decomposed) { return id }
        }
    }

    private mutating func word() -> String {
        let syllables = ["ka", "lo", "mi", "ru", "ten", "sar", "vo", "wex", "yi", "zon", "pla", "qui"]
        return (0...random.below(3)).map { _ in pick(syllables) }.joined()
    }

    /// A string value.
    mutating func string() -> String {
        let odd = [
            "", " ", "\"", "\\", "\\(x)", "\"\"\"", "#\"", "\n", "\r\n", "\t", "\0", "\u{1B}", "é", "e\u{301}", "日本語",
            "😀",
            "👩‍👩‍👧", "\u{2028}", "\u{200B}", "\u{202E}", "\u{FEFF}", "*/", "//", "$0", "%d",
        ]
        switch random.below(8) {
        case 0: return pick(odd)
        case 1: return (0..<random.below(8)).map { _ in pick(odd) }.joined()
        case 2: return (0..<random.below(40)).map { _ in word() }.joined(separator: pick([" ", "\"", "", "\n"]))
        default: return word()
        }
    }

    /// A description, a label or a message.
    mutating func prose() -> String {
        let odd = ["*/", "/*", "`", "``", "```", "\\", "\"", "\n\n", "\r", "\u{85}", "#if", "- a", "é", "😀", "", "  "]
        switch random.below(6) {
        case 0: return string()
        case 1: return (0..<random.below(60)).map { _ in random.chance(6) ? pick(odd) : word() }.joined(separator: " ")
        case 2: return pick(["", " ", "\n", "\t", "\u{200B}", "."])
        default: return word().capitalizedFirst + " " + word() + "."
        }
    }

    /// The name, sometimes in a canonically equivalent spelling.
    mutating func respelt(_ name: String) -> String { random.chance(3) ? name.decomposed : name }

    /// A type's text, sometimes with spaces where they are allowed.
    mutating func spaced(_ type: String) -> String {
        guard random.chance(8) else { return respelt(type) }
        return type.map { "[]<>:?".contains($0) ? " \($0) " : String($0) }.joined()
    }
}
