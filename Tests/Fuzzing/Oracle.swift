import PreferencesCodeGen
import PreferencesSchema

/// What must hold of every input, whatever it is.
enum Oracle {
    /// What was made of an input.
    struct Verdict {
        /// What does not hold; empty where all is well.
        var complaints: [String] = []
        /// The source that was generated, where the schemas have no errors, to be given to the compiler.
        var generated: [String] = []
    }

    static func judge(_ input: FuzzedInput) -> Verdict {
        let sources = input.sources
        var lines = Dictionary(uniqueKeysWithValues: sources.map { ($0.path, LineLengths($0.bytes)) })
        let (set, diagnostics) = SchemaSet.read(sources) { path in
            let text = input.included(path)
            if case .text(let bytes) = text { lines[path] = LineLengths(bytes) }
            return text
        }
        var verdict = Verdict()
        verdict.complaints = diagnostics.flatMap { complaints(about: $0, lines) }
        let again = SchemaSet.read(sources, including: input.included).diagnostics
        if again != diagnostics { verdict.complaints.append("the same schemas give other diagnostics the second time") }
        guard !diagnostics.contains(where: { $0.severity == .error }) else { return verdict }

        if set.schemas.count != sources.count { verdict.complaints.append("a schema without errors is missing") }
        for schema in set.schemas {
            let text = SwiftGenerator.generate(schema)
            if !text.hasSuffix("\n") {
                verdict.complaints.append("generated source does not end with a line break")
            }
            if SwiftGenerator.generate(schema) != text {
                verdict.complaints.append("the same schema gives other source the second time")
            }
            // What is wrong with an expression is for the compiler to say.
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

    private static func complaints(about diagnostic: Diagnostic, _ lines: [String: LineLengths]) -> [String] {
        var complaints: [String] = []
        let places = [(diagnostic.path, diagnostic.position)] + diagnostic.notes.map { ($0.path, $0.position) }
        for (path, position) in places {
            guard let lines = lines[path] else {
                complaints.append("no schema has the path of: \(diagnostic)")
                continue
            }
            if !lines.have(position) { complaints.append("there is no such place in the schema: \(diagnostic)") }
        }
        for message in [diagnostic.message] + diagnostic.notes.map(\.message)
        where message.isEmpty || message.hasSuffix(".") || message.contains(where: \.isNewline) {
            complaints.append("no message of one line without a full stop: \(diagnostic)")
        }
        if diagnostic.description.split(whereSeparator: \.isNewline).count != places.count {
            complaints.append("more or fewer lines than places: \(diagnostic)")
        }
        if !isWellFormed(diagnostic.json, of: diagnostic) { complaints.append("faulty JSON: \(diagnostic.json)") }
        return complaints
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
