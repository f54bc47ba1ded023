import PreferencesCodeGen
import PreferencesComparison
import PreferencesSchema

/// The checks that every input must pass.
enum Oracle {
    /// The result of an input.
    struct Verdict {
        /// The failed checks.
        var violations: [String] = []
        /// The generated source to compile, if the schemas have no errors.
        var generated: [String] = []
    }

    static func check(_ input: FuzzedInput) -> Verdict {
        let sources = input.sources
        var lines = Dictionary(uniqueKeysWithValues: sources.map { ($0.path, LineLengths($0.bytes)) })
        let (set, diagnostics) = SchemaSet.read(sources) { path in
            let text = input.included(path)
            if case .text(let bytes) = text { lines[path] = LineLengths(bytes) }
            return text
        }
        var verdict = Verdict()
        verdict.violations = diagnostics.flatMap { violations(about: $0, lines) }
        let again = SchemaSet.read(sources, including: input.included).diagnostics
        if again != diagnostics { verdict.violations.append("the same schemas give other diagnostics the second time") }
        // Also of faulty schemas.
        let comparison = SchemaComparison(from: set, to: SchemaSet.read(Array(sources.dropFirst())).set)
        for change in comparison.changes {
            let texts = [change.message, change.fix, change.acceptance] + change.notes.map(\.message)
            for text in texts where text.isEmpty || text.hasSuffix(".") || text.contains(where: \.isNewline) {
                verdict.violations.append("no message of one line without a full stop: \(text)")
            }
        }
        guard !diagnostics.contains(where: { $0.severity == .error }) else { return verdict }

        let changes = SchemaComparison(from: set, to: set).changes
        if !changes.isEmpty { verdict.violations.append("the same schemas differ: \(changes[0].message)") }
        if set.schemas.count != sources.count { verdict.violations.append("a schema without errors is missing") }
        for schema in set.schemas {
            let text = SwiftGenerator.generate(schema)
            if !text.hasSuffix("\n") {
                verdict.violations.append("generated source does not end with a line break")
            }
            if SwiftGenerator.generate(schema) != text {
                verdict.violations.append("the same schema gives other source the second time")
            }
            // Only the compiler can find errors in expressions.
            if !hasExpressions(schema) { verdict.generated.append(text) }
        }
        return verdict
    }

    private static func hasExpressions(_ schema: Schema) -> Bool {
        schema.allNamespaces.contains { namespace in
            namespace.keys.contains { key in
                if case .expression = key.defaultValue { true } else { false }
            }
        }
    }

    private static func violations(about diagnostic: Diagnostic, _ lines: [String: LineLengths]) -> [String] {
        var violations: [String] = []
        let places = [(diagnostic.path, diagnostic.position)] + diagnostic.notes.map { ($0.path, $0.position) }
        for (path, position) in places {
            guard let lines = lines[path] else {
                violations.append("no schema has the path of: \(diagnostic)")
                continue
            }
            if !lines.contain(position) { violations.append("there is no such place in the schema: \(diagnostic)") }
        }
        for message in [diagnostic.message] + diagnostic.notes.map(\.message)
        where message.isEmpty || message.hasSuffix(".") || message.contains(where: \.isNewline) {
            violations.append("no message of one line without a full stop: \(diagnostic)")
        }
        if diagnostic.description.split(whereSeparator: \.isNewline).count != places.count {
            violations.append("more or fewer lines than places: \(diagnostic)")
        }
        if !isWellFormed(diagnostic.json, of: diagnostic) { violations.append("faulty JSON: \(diagnostic.json)") }
        return violations
    }

    private static func isWellFormed(_ json: String, of diagnostic: Diagnostic) -> Bool {
        guard let root = try? JSONReader.parse(Array(json.utf8)), case .object(let members) = root.content else {
            return false
        }
        let names = ["path", "line", "column", "severity", "message", "rule", "notes"]
        guard members.map(\.name) == names, case .string(diagnostic.message) = members[4].value.content,
            case .array(let notes) = members[6].value.content
        else { return false }
        return notes.count == diagnostic.notes.count
    }
}

/// The number of bytes in each line of a text, counted independently of the tested code.
struct LineLengths {
    private var lengths: [Int] = []

    init(_ bytes: [UInt8]) {
        var length = 0
        for (index, byte) in bytes.enumerated() {
            length += 1
            guard byte == 0x0A || byte == 0x0D && (index + 1 == bytes.count || bytes[index + 1] != 0x0A) else {
                continue
            }
            lengths.append(length)
            length = 0
        }
        // The end of the text is a position, too.
        lengths.append(length + 1)
    }

    func contain(_ position: TextPosition) -> Bool {
        lengths.indices.contains(position.line - 1) && (1...lengths[position.line - 1]).contains(position.column)
    }
}
