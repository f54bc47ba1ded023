extension SchemaReader {
    /// Parses the type of a key. Reports faults at their place within the string.
    mutating func parseType(_ text: String, at range: Range<Int>) -> ValueType? {
        if let type = parsedTypes[text] { return type }
        var parser = TypeParser(text: text, declaredTypes: declarations)
        do {
            let type = try parser.parse()
            parsedTypes[text] = type
            return type
        } catch {
            let start = range.lowerBound + offset(of: error.offset, in: text, at: range)
            let note = error.note ?? error.unknownName.flatMap { suggestionForUnknownType($0) }
            if error.unknownName == nil || note != nil || !isIncomplete {
                let advice = error.unknownName.map { _ in "declare it under 'types', or use one of Swift's own" }
                report(error.rule, at: start..<range.upperBound, error.message, note: note ?? advice)
            }
            // Types that the faulty text mentions count as used.
            for name in text.split(whereSeparator: { " []<>:?,".contains($0) }) {
                if let type = declarations[String(name)]?.type { recordUse(of: type, access: .fileprivate) }
            }
            return nil
        }
    }

    /// Returns the offset of a place in a JSON string from the start of the string's token. Returns 0 for the whole
    /// string, and for one with escapes, whose offsets differ from those of the text.
    ///
    /// - Parameter offset: The offset in UTF-8 bytes of the string, or nil for the whole of it.
    func offset(of offset: Int?, in text: String, at range: Range<Int>) -> Int {
        guard let offset, range.count == text.utf8.count + 2 else { return 0 }
        return 1 + offset
    }

    private mutating func suggestionForUnknownType(_ name: String) -> String? {
        let unqualified = name.split(separator: ".").last.map(String.init) ?? name
        let declared = declarations.keys
        let nearest = suggestions.nearest(to: unqualified, among: Array(ValueType.builtIn.keys) + declared + ["Set"])
        return nearest.map { "did you mean '\($0)'?" }
    }
}

extension ValueType {
    /// The type as spelled in a schema, in which external types have their own names.
    var schemaName: String {
        switch self {
        case .external(let name, _): name
        case .array(let element): "[\(element.schemaName)]"
        case .set(let element): "Set<\(element.schemaName)>"
        case .dictionary(let value): "[String: \(value.schemaName)]"
        case .optional(let wrapped): "\(wrapped.schemaName)?"
        default: swiftName
        }
    }
}

/// Parses the spelling of a type:
///
///     type   → simple "?"?
///     simple → NAME | "[" type "]" | "[" "String" ":" type "]" | "Set" "<" type ">"
///
/// Spaces are allowed where Swift allows them.
struct TypeParser {
    struct Fault: Error {
        var rule: Rule
        /// The offset in the text, in UTF-8 bytes.
        var offset: Int
        var message: String
        var note: String?
        /// The name that is not a type.
        var unknownName: String?
    }

    /// Deeper nesting than anyone writes, and shallow enough for the recursion.
    private static let maximumDepth = 32

    private let text: [UInt8]
    private let declaredTypes: [String: TypeDeclaration]
    private var offset = 0
    private var depth = 0

    init(text: String, declaredTypes: [String: TypeDeclaration]) {
        self.text = Array(text.utf8)
        self.declaredTypes = declaredTypes
    }

    mutating func parse() throws(Fault) -> ValueType {
        let type = try parseType()
        skipSpaces()
        if offset < text.count { throw unexpected(expected: "the end of the type") }
        return type
    }

    private mutating func parseType() throws(Fault) -> ValueType {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else {
            throw Fault(
                rule: .invalidType,
                offset: offset,
                message: "the type is nested more than \(Self.maximumDepth) levels deep"
            )
        }
        let simple = try parseSimple()
        skipSpaces()
        guard take("?") else { return simple }
        skipSpaces()
        if take("?") {
            throw Fault(
                rule: .nestedOptional,
                offset: offset - 1,
                message:
                    "an optional of an optional cannot be stored: both kinds of nil would look the same"
            )
        }
        return .optional(simple)
    }

    private mutating func parseSimple() throws(Fault) -> ValueType {
        skipSpaces()
        let start = offset
        if take("[") { return try parseBracketed() }
        guard let name = takeName() else { throw unexpected(expected: "a type") }
        if name == "Set" {
            skipSpaces()
            guard take("<") else { throw unexpected(expected: "'<' after 'Set'") }
            let element = try parseType()
            skipSpaces()
            guard take(">") else { throw unexpected(expected: "'>'") }
            return .set(element)
        }
        if let declared = declaredTypes[name] { return declared.type }
        if let builtIn = ValueType.builtIn[name] { return builtIn }
        throw Fault(
            rule: .unknownType,
            offset: start,
            message: "unknown type '\(name)'",
            note: Self.spellings[name] ?? Self.synonyms[name].map { "did you mean '\($0)'?" },
            unknownName: name
        )
    }

    /// Names of types in other languages and in JSON, with their Swift equivalents.
    private static let synonyms = [
        "bool": "Bool", "boolean": "Bool", "Boolean": "Bool", "integer": "Int", "Integer": "Int", "int": "Int",
        "long": "Int64", "number": "Double", "Number": "Double", "string": "String", "object": "[String: String]",
        "array": "[String]", "NSNumber": "Double", "NSString": "String", "datetime": "Date", "CGFloat": "Double",
        "TimeInterval": "Duration",
    ]

    /// The spelling of types for which Swift has short forms.
    private static let spellings = [
        "Array": "an array of a type T is written '[T]'", "Optional": "an optional of a type T is written 'T?'",
        "Dictionary": "a dictionary from strings to a type T is written '[String: T]'",
    ]

    private mutating func parseBracketed() throws(Fault) -> ValueType {
        skipSpaces()
        let start = offset
        let first = try parseType()
        skipSpaces()
        if take("]") { return .array(first) }
        guard take(":") else { throw unexpected(expected: "']' or ':'") }
        guard first == .string else {
            throw Fault(
                rule: .dictionaryKeyType,
                offset: start,
                message: "the keys of a dictionary must be of type 'String', not '\(first.swiftName)'"
            )
        }
        let value = try parseType()
        skipSpaces()
        guard take("]") else { throw unexpected(expected: "']'") }
        return .dictionary(value)
    }

    private mutating func skipSpaces() {
        while offset < text.count, text[offset] == UInt8(ascii: " ") { offset += 1 }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard offset < text.count, text[offset] == UInt8(ascii: character) else { return false }
        offset += 1
        return true
    }

    private mutating func takeName() -> String? {
        let end = text[offset...].firstIndex { " []<>:?,".utf8.contains($0) } ?? text.count
        guard end > offset else { return nil }
        defer { offset = end }
        return String(decoding: text[offset..<end], as: UTF8.self)
    }

    private func unexpected(expected: String) -> Fault {
        guard offset < text.count else {
            return Fault(rule: .invalidType, offset: offset, message: "the type ends too early; expected \(expected)")
        }
        let found = String(decoding: text[offset...], as: UTF8.self).prefix(1)
        return Fault(
            rule: .invalidType,
            offset: offset,
            message: "unexpected '\(found)' in a type; expected \(expected)"
        )
    }
}
