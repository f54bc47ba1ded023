/// Reads a value in GVariant's text format, where its type is known:
/// https://docs.gtk.org/glib/gvariant-text-format.html
struct VariantParser {
    /// What cannot be read, in words that follow "the default".
    struct Fault: Error {
        var message: String
    }

    private let characters: [Character]
    private var offset = 0

    init(_ text: String) {
        characters = Array(text)
    }

    static func value(_ text: String, as type: VariantType) throws(Fault) -> ImportedValue {
        var parser = VariantParser(text)
        let value = try parser.value(as: type)
        parser.skipSpace()
        guard parser.current == nil else { throw parser.unexpected(expected: "the end of the value") }
        return value
    }

    private mutating func value(as type: VariantType) throws(Fault) -> ImportedValue {
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
            try readItems(from: "[", to: "]") { parser throws(Fault) in
                elements.append(try parser.value(as: element))
            }
            return .array(elements)
        case .dictionary(let value):
            return try dictionary(of: value)
        }
    }
}

// MARK: - Parts

extension VariantParser {
    private var current: Character? { offset < characters.count ? characters[offset] : nil }

    mutating private func skipSpace() {
        while current?.isWhitespace == true { offset += 1 }
    }

    private func unexpected(expected: String) -> Fault {
        guard let current else { return Fault(message: "ends too early; expected \(expected)") }
        return Fault(message: "has '\(current)' where \(expected) is expected")
    }

    /// A word of letters and digits, if that is what comes next.
    private mutating func takeWord(_ word: String) -> Bool {
        skipSpace()
        let end = offset + word.count
        guard end <= characters.count, String(characters[offset..<end]) == word else { return false }
        if end < characters.count, characters[end].isLetter || characters[end].isNumber { return false }
        offset = end
        return true
    }

    /// `@as`, which must say what the type is anyway.
    private mutating func skipAnnotation(of type: VariantType) throws(Fault) {
        offset += 1
        let start = offset
        while let character = current, !character.isWhitespace { offset += 1 }
        let signature = String(characters[start..<offset])
        guard VariantType(signature: signature) == type else {
            throw Fault(message: "is of type '\(signature)', which is not the key's")
        }
    }

    private static let numberWords: [(word: String, letter: Character)] = [
        ("byte", "y"), ("int16", "n"), ("uint16", "q"), ("int32", "i"), ("uint32", "u"), ("int64", "x"),
        ("uint64", "t"), ("double", "d"),
    ]

    private mutating func number(_ letter: Character) throws(Fault) -> ImportedValue {
        for (word, of) in Self.numberWords where takeWord(word) {
            guard of == letter else { throw Fault(message: "is of type '\(word)', which is not the key's") }
        }
        skipSpace()
        let start = offset
        while let character = current, character.isLetter || character.isNumber || "+-.".contains(character) {
            offset += 1
        }
        let text = String(characters[start..<offset])
        let name = VariantType.names[letter] ?? ""
        guard !text.isEmpty else { throw unexpected(expected: "a number") }
        // As C has it, a zero before other digits makes them octal.
        let digits = text.drop { $0 == "-" || $0 == "+" }
        let isOctal = digits.count > 1 && digits.allSatisfy { ("0"..."7").contains($0) } && digits.first == "0"
        let decimal = isOctal ? Int128(digits, radix: 8).map { text.hasPrefix("-") ? "-\($0)" : "\($0)" } : text
        guard let decimal, let number = NumberText.number(decimal, ofType: name) else {
            throw Fault(message: "'\(text)' is no number of type '\(name)'")
        }
        return .number(number)
    }

    private mutating func dictionary(of type: VariantType) throws(Fault) -> ImportedValue {
        var members: [ImportedValue.Member] = []
        func add(_ name: String, _ value: ImportedValue) {
            // The last one of a name counts.
            members.removeAll { $0.name == name }
            members.append(.init(name: name, value: value))
        }
        if current == "[" {
            // Its entries, one by one: [{'a', 1}].
            try readItems(from: "[", to: "]") { parser throws(Fault) in
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
            try readItems(from: "{", to: "}") { parser throws(Fault) in
                parser.skipSpace()
                let name = try parser.string()
                parser.skipSpace()
                try parser.take(":")
                add(name, try parser.value(as: type))
            }
        }
        return .object(members)
    }

    private mutating func take(_ character: Character) throws(Fault) {
        guard current == character else { throw unexpected(expected: "'\(character)'") }
        offset += 1
    }

    /// What stands between two brackets, commas apart.
    private mutating func readItems(
        from opening: Character,
        to closing: Character,
        _ readItem: (inout VariantParser) throws(Fault) -> Void
    ) throws(Fault) {
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

extension VariantParser {
    private mutating func string() throws(Fault) -> String {
        guard let quote = current, quote == "'" || quote == "\"" else { throw unexpected(expected: "a string") }
        offset += 1
        var result = ""
        while let character = current {
            offset += 1
            if character == quote { return result }
            if character == "\\" { result += try escape() } else { result.append(character) }
        }
        throw Fault(message: "has a string without a closing quote")
    }

    /// What stands behind a backslash.
    private mutating func escape() throws(Fault) -> String {
        guard let letter = current else { throw Fault(message: "has a string without a closing quote") }
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
            else { throw Fault(message: "has an escape '\\\(letter)' without the digits of a character") }
            offset = end
            return String(Character(scalar))
        case _ where letter.isNewline: return ""
        default: return String(letter)
        }
    }

    /// `b'text'`: the text's bytes, and a zero.
    private mutating func byteString() throws(Fault) -> ImportedValue {
        offset += 1
        let text = try string()
        return .array((Array(text.utf8) + [0]).map { .number(String($0)) })
    }
}
