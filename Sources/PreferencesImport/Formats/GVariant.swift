/// A GVariant type that a schema can represent. The signature `as`, for example, is an array of strings.
///
/// `GVariantSignature` of PreferencesCompatibility has all types, and reads values of stores. The importers share no target
/// with what apps link.
indirect enum GVariantType: Equatable {
    /// A number or Boolean, by its signature.
    case basic(Character)
    /// A string, an object path or a signature.
    case text
    case array(GVariantType)
    /// A dictionary with strings as keys: `a{s…}`.
    case dictionary(GVariantType)
    case maybe(GVariantType)

    /// Parses a signature; `nil` if it is invalid, or schemas do not support the type, such as a tuple.
    init?(signature: String) {
        var rest = signature[...]
        guard let type = Self.take(from: &rest, depth: 0), rest.isEmpty else { return nil }
        self = type
    }

    /// The maximum nesting, within the limit of schema types.
    private static let maximumDepth = 16

    private static func take(from rest: inout Substring, depth: Int) -> GVariantType? {
        guard depth < maximumDepth, let letter = rest.popFirst() else { return nil }
        switch letter {
        case "b", "y", "n", "q", "i", "u", "x", "t", "d":
            return .basic(letter)
        case "s", "o", "g":
            return .text
        case "m":
            guard let wrapped = take(from: &rest, depth: depth + 1) else { return nil }
            // Schemas do not support nested optionals.
            if case .maybe = wrapped { return nil }
            return .maybe(wrapped)
        case "a" where rest.first == "{":
            rest = rest.dropFirst()
            guard rest.popFirst() == "s", let value = take(from: &rest, depth: depth + 1), rest.popFirst() == "}" else {
                return nil
            }
            return .dictionary(value)
        case "a":
            return take(from: &rest, depth: depth + 1).map(GVariantType.array)
        default:
            return nil
        }
    }

    /// The Swift names of the basic types.
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

/// Parses a value of a given type in the GVariant text format:
/// https://docs.gtk.org/glib/gvariant-text-format.html
struct GVariantParser {
    /// An error whose message follows "its default ".
    struct ParseError: Error {
        var message: String
    }

    private let characters: [Character]
    private var offset = 0

    init(_ text: String) {
        characters = Array(text)
    }

    static func value(_ text: String, as type: GVariantType) throws(ParseError) -> ImportedValue {
        var parser = GVariantParser(text)
        let value = try parser.value(as: type)
        parser.skipSpace()
        guard parser.current == nil else { throw parser.unexpected(expected: "the end of the value") }
        return value
    }

    private mutating func value(as type: GVariantType) throws(ParseError) -> ImportedValue {
        skipSpace()
        if current == "@" {
            try skipAnnotation(of: type)
            skipSpace()
        }
        switch type {
        case .maybe(let wrapped):
            if takeWord("nothing") { return .null }
            _ = takeWord("just")
            return try value(as: wrapped)
        case .basic("b"):
            if takeWord("true") { return .bool(true) }
            if takeWord("false") { return .bool(false) }
            throw unexpected(expected: "'true' or 'false'")
        case .basic(let letter):
            return try number(letter)
        case .text:
            _ = takeWord("objectpath") || takeWord("signature")
            skipSpace()
            return .string(try string())
        case .array(.basic("y")) where current == "b":
            return try byteString()
        case .array(let element):
            var elements: [ImportedValue] = []
            try readItems(from: "[", to: "]") { parser throws(ParseError) in
                elements.append(try parser.value(as: element))
            }
            return .array(elements)
        case .dictionary(let value):
            return try dictionary(of: value)
        }
    }
}

// MARK: - Parts

extension GVariantParser {
    private var current: Character? { offset < characters.count ? characters[offset] : nil }

    mutating private func skipSpace() {
        while current?.isWhitespace == true { offset += 1 }
    }

    private func unexpected(expected: String) -> ParseError {
        guard let current else { return ParseError(message: "ends too early; expected \(expected)") }
        return ParseError(message: "has '\(current)' where \(expected) is expected")
    }

    /// Consumes a word if it is next.
    private mutating func takeWord(_ word: String) -> Bool {
        skipSpace()
        let end = offset + word.count
        guard end <= characters.count, String(characters[offset..<end]) == word else { return false }
        if end < characters.count, characters[end].isLetter || characters[end].isNumber { return false }
        offset = end
        return true
    }

    /// Consumes a type annotation, such as `@as`, which must match the type.
    private mutating func skipAnnotation(of type: GVariantType) throws(ParseError) {
        offset += 1
        let start = offset
        while let character = current, !character.isWhitespace { offset += 1 }
        let signature = String(characters[start..<offset])
        guard GVariantType(signature: signature) == type else {
            throw ParseError(message: "has type '\(signature)', which is not the type of the key")
        }
    }

    private static let numberWords: [(word: String, letter: Character)] = [
        ("byte", "y"), ("int16", "n"), ("uint16", "q"), ("int32", "i"), ("uint32", "u"), ("int64", "x"),
        ("uint64", "t"), ("double", "d"),
    ]

    private mutating func number(_ letter: Character) throws(ParseError) -> ImportedValue {
        for (word, of) in Self.numberWords where takeWord(word) {
            guard of == letter else {
                throw ParseError(message: "has type '\(word)', which is not the type of the key")
            }
        }
        skipSpace()
        let start = offset
        while let character = current, character.isLetter || character.isNumber || "+-.".contains(character) {
            offset += 1
        }
        let text = String(characters[start..<offset])
        let name = GVariantType.names[letter] ?? ""
        guard !text.isEmpty else { throw unexpected(expected: "a number") }
        // GLib parses integers with strtoull(3), to which a leading zero means an octal number.
        let digits = text.drop { $0 == "-" || $0 == "+" }
        let isOctal = digits.count > 1 && digits.allSatisfy { ("0"..."7").contains($0) } && digits.first == "0"
        let decimal = isOctal ? Int128(digits, radix: 8).map { text.hasPrefix("-") ? "-\($0)" : "\($0)" } : text
        guard let decimal, let number = NumberParser.number(decimal, ofType: name) else {
            throw ParseError(message: "'\(text)' is not a number of type '\(name)'")
        }
        return .number(number)
    }

    private mutating func dictionary(of type: GVariantType) throws(ParseError) -> ImportedValue {
        var members: [ImportedValue.Member] = []
        func add(_ name: String, _ value: ImportedValue) {
            // The last entry with a name takes precedence.
            members.removeAll { $0.name == name }
            members.append(.init(name: name, value: value))
        }
        if current == "[" {
            // A list of entries: [{'a', 1}].
            try readItems(from: "[", to: "]") { parser throws(ParseError) in
                parser.skipSpace()
                try parser.take("{")
                parser.skipSpace()
                let name = try parser.string()
                parser.skipSpace()
                try parser.take(",")
                let value = try parser.value(as: type)
                parser.skipSpace()
                try parser.take("}")
                add(name, value)
            }
        } else {
            try readItems(from: "{", to: "}") { parser throws(ParseError) in
                parser.skipSpace()
                let name = try parser.string()
                parser.skipSpace()
                try parser.take(":")
                add(name, try parser.value(as: type))
            }
        }
        return .object(members)
    }

    private mutating func take(_ character: Character) throws(ParseError) {
        guard current == character else { throw unexpected(expected: "'\(character)'") }
        offset += 1
    }

    /// Parses comma-separated items between two brackets.
    private mutating func readItems(
        from opening: Character,
        to closing: Character,
        _ readItem: (inout GVariantParser) throws(ParseError) -> Void
    ) throws(ParseError) {
        skipSpace()
        try take(opening)
        skipSpace()
        if current == closing {
            offset += 1
            return
        }
        while true {
            try readItem(&self)
            skipSpace()
            if current == closing {
                offset += 1
                return
            }
            guard current == "," else { throw unexpected(expected: "',' or '\(closing)'") }
            offset += 1
        }
    }
}

// MARK: - Strings

extension GVariantParser {
    private mutating func string() throws(ParseError) -> String {
        guard let quote = current, quote == "'" || quote == "\"" else { throw unexpected(expected: "a string") }
        offset += 1
        var result = ""
        while let character = current {
            offset += 1
            if character == quote { return result }
            if character == "\\" { result += try escape() } else { result.append(character) }
        }
        throw ParseError(message: "has a string without a closing quote")
    }

    /// Parses the rest of an escape sequence, after the backslash.
    private mutating func escape() throws(ParseError) -> String {
        guard let letter = current else { throw ParseError(message: "has a string without a closing quote") }
        offset += 1
        switch letter {
        case "a": return "\u{7}"
        case "b": return "\u{8}"
        case "f": return "\u{C}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "v": return "\u{B}"
        case "u", "U":
            let end = offset + (letter == "u" ? 4 : 8)
            guard end <= characters.count, let code = UInt32(String(characters[offset..<end]), radix: 16),
                let scalar = Unicode.Scalar(code)
            else { throw ParseError(message: "has an escape '\\\(letter)' without the digits of a character") }
            offset = end
            return String(Character(scalar))
        case _ where letter.isNewline: return ""
        default: return String(letter)
        }
    }

    /// Parses a byte string, `b'text'`: the bytes of the text, followed by a zero.
    private mutating func byteString() throws(ParseError) -> ImportedValue {
        offset += 1
        let text = try string()
        return .array((Array(text.utf8) + [0]).map { .number(String($0)) })
    }
}
