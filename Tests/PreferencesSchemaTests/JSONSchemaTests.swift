import Foundation
import PreferencesJSON
import PreferencesSchema
import TestSupport
import Testing

/// `Schemas/*.schema.json`, by which editors complete, explain and check schemas, say the same as the generator.
@Suite("JSON Schemas for editors")
struct JSONSchemaTests {
    private static let folder = Repository.folder.appending(path: "Schemas", directoryHint: .isDirectory)
    private static let language = folder.appending(path: "preferences.schema.json")

    @Test(
        "They are valid, and every field has a description and valid examples",
        arguments: ["preferences.schema.json", "preferences-generator-config.schema.json"]
    )
    func schemaItself(name: String) async throws {
        let validation = try await SchemaValidation.run(schema: Self.folder.appending(path: name)).schema
        #expect(validation.faults.map(\.description) == [])
    }

    @Test("What the generator accepts is valid")
    func accepted() async throws {
        let fixtures = Fixtures.accepted + Fixtures.golden
        let own = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).filter {
            $0.hasSuffix(Fixtures.ending)
        }
        let files = fixtures.flatMap(\.files) + own.map { Self.folder.appending(path: $0) }
        try #require(files.count > fixtures.count)
        for validation in try await SchemaValidation.run(schema: Self.language, files: files).files {
            #expect(validation.faults.map(\.description) == [], "\(validation.file)")
        }
    }

    @Test("The README's schema is valid")
    func readme() async throws {
        let text = try String(contentsOf: Repository.folder.appending(path: "README.md"), encoding: .utf8)
        let snippets = text.matches(of: /```json\n(\{\n  "formatVersion".+?)\n```/.dotMatchesNewlines()).map(\.1)
        try #require(!snippets.isEmpty)
        try await withTemporaryDirectory { folder in
            let files = snippets.indices.map { folder.appending(path: "\($0).json") }
            for (file, snippet) in zip(files, snippets) { try Data(snippet.utf8).write(to: file) }
            let validations = try await SchemaValidation.run(schema: Self.language, files: files).files
            #expect(validations.flatMap(\.faults).map(\.description) == [])
        }
    }

    @Test("What the generator refuses for its structure is faulty at the same place")
    func refused() async throws {
        let fixtures = Fixtures.refused.filter { !Self.beyondPatterns.contains($0.name) }
        let files = fixtures.flatMap { fixture in fixture.paths.map { (fixture: fixture, path: $0) } }
        let urls = fixtures.flatMap(\.files)
        let validations = try await SchemaValidation.run(schema: Self.language, files: urls).files
        var rules: Set<Rule> = []
        for (file, validation) in zip(files, validations) where validation.isJSON {
            let bytes = try file.fixture.bytes(of: file.path)
            guard let root = JSONReader.read(bytes).root else { continue }
            let diagnostics = SchemaSet.read(try file.fixture.sources()).diagnostics.filter {
                $0.path == file.path && $0.rule.isStructural
            }
            let lines = LineTable(bytes)
            for diagnostic in diagnostics {
                let path = root.path(to: diagnostic.position, in: lines)
                #expect(validation.faults.contains { $0.path.starts(with: path) }, "\(diagnostic)")
                rules.insert(diagnostic.rule)
            }
        }
        #expect(rules == Set(Rule.allCases.filter(\.isStructural)))
    }

    /// Fixtures whose one fault is of a structural rule, and beyond a pattern all the same.
    private static let beyondPatterns: Set = ["invalid-type-too-deep"]

    @Test("What goes with a type is checked, as far as the type is built in")
    func types() async throws {
        try await withTemporaryDirectory { folder in
            let keys = [
                #""Bool", "default": 0"#, #""Bool?", "default": "a""#, #""Int8", "default": 1.5"#,
                #"" UInt64 ? ", "default": true"#, #""Double", "default": "1""#, #""Duration", "default": "1s""#,
                #""String", "default": 1"#, #""String", "default": null"#, #""Date", "default": "2026-01-31""#,
                #""UUID", "default": "1234""#, #""Data", "default": "A""#, #""[Int]", "default": {}"#,
                #""Set<Int>?", "default": 1"#, #""[String: Int]", "default": []"#, #""T", "default": null"#,
                #""Int", "defaultExpression": "1", "default": 1"#, #""[Int?]""#, #""Bool?", "minimum": 0"#,
                #""Int?", "pattern": "a""#, #""Int?", "choices": ["a"]"#, #""Date?", "maximum": 1"#,
                #""[Int]?", "maxLength": 1"#, #""String?", "maxCount": 1"#, #""URL?", "minLength": 1"#,
                #""Int?", "platformDefaults": {"linux": "a"}"#, #""Int?", "readOnly": true, "setAccess": "internal""#,
            ]
            let files = keys.indices.map { folder.appending(path: "\($0).json") }
            for (file, key) in zip(files, keys) {
                try Data(#"{"formatVersion": 1, "keys": {"a": {"type": \#(key)}}}"#.utf8).write(to: file)
            }
            for (key, validation) in zip(
                keys,
                try await SchemaValidation.run(schema: Self.language, files: files).files
            ) {
                #expect(validation.faults.contains { $0.path.starts(with: ["keys", "a"]) }, "\(key)")
            }
        }
    }

    @Test("A type's spelling is judged as by the generator, down to three brackets")
    func spellings() async throws {
        let tokens = ["Int", "String", "Set", "Settings", "[", "]", "Set<", "<", ">", ":", "?", " ", ",", "String:"]
        var random = SeededRandom(seed: 1)
        let types = Set(
            (0..<3_000).map { _ in
                (0..<Int.random(in: 1...7, using: &random)).map { _ in
                    tokens.randomElement(using: &random) ?? ""
                }.joined()
            } + ["[[[Int]]]", "[String: Set<[Int?]>?]", "[[[Int]]", "Set<Set<Set<Int>>>?", "[String:[String:[Int]]]"]
        )
        .filter { $0.count { "[<".contains($0) } <= 3 }.sorted()
        let keys = types.enumerated().map { #""k\#($0)": {"type": \#(JSONText.quoted($1)), "defaultExpression": "x"}"# }
        let validation = try await validation(of: #"{"formatVersion": 1, "keys": {\#(keys.joined(separator: ","))}}"#)
        let refused = Set(validation.faults.map { $0.path.dropFirst().first ?? "" })
        for (index, type) in types.enumerated() {
            let key = #""a": {"type": \#(JSONText.quoted(type))}"#
            let text = schema(keys: key, types: #""Settings": {"enum": ["a"]}"#)
            let rules = read(text).diagnostics.map(\.rule)
            // The generator looks a name up before it reads what follows.
            if rules.contains(.unknownType) { continue }
            let isRefused = rules.contains { [Rule.invalidType, .nestedOptional, .dictionaryKeyType].contains($0) }
            #expect(refused.contains("k\(index)") == isRefused, "\(type)")
        }
        #expect((1..<types.count).contains(refused.count))
    }

    @Test("A name is judged as by the generator, at the edges of every range of characters")
    func names() async throws {
        let scalars =
            ((0...0xFFFF) as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init)
            + (1...16).flatMap { plane in [0, 1, 0xFFFD, 0xFFFE].compactMap { Unicode.Scalar(plane << 16 + $0) } }
        var names: Set<[Unicode.Scalar]> = [["_"], ["_", "_"], []]
        for (first, second) in zip(scalars, scalars.dropFirst()) {
            for prefix in [[], ["a"]] as [[Unicode.Scalar]]
            where Self.isName(prefix + [first]) != Self.isName(prefix + [second]) {
                names.insert(prefix + [first])
                names.insert(prefix + [second])
            }
        }
        let members = names.map { #"\#(JSONText.quoted(Self.text($0))): {"enum": ["a"]}"# }
        let validation = try await validation(
            of: #"{"formatVersion": 1, "types": {\#(members.joined(separator: ","))}}"#
        )
        // Compared scalar by scalar: some names are equal to others as Swift compares strings.
        let refused = Set(validation.faults.map { $0.path.last.map { Array($0.unicodeScalars) } ?? [] })
        for name in names { #expect(refused.contains(name) != Self.isName(name), "\(name)") }
    }

    private static func text(_ scalars: [Unicode.Scalar]) -> String {
        var text = ""
        text.unicodeScalars.append(contentsOf: scalars)
        return text
    }

    private static func isName(_ scalars: [Unicode.Scalar]) -> Bool { Identifier.isValid(text(scalars)) }

    private func validation(of text: String) async throws -> SchemaValidation {
        try await withTemporaryDirectory { folder in
            let file = folder.appending(path: "schema.json")
            try Data(text.utf8).write(to: file)
            let validations = try await SchemaValidation.run(schema: Self.language, files: [file]).files
            return try #require(validations.first)
        }
    }
}

extension Fixture {
    fileprivate var files: [URL] {
        paths.map { folder.appending(path: $0) }
    }
}

extension Rule {
    /// Whether a JSON Schema can say what the rule says, of one value and what is in it.
    fileprivate var isStructural: Bool {
        switch self {
        case .wrongJSONType, .unknownField, .missingField, .formatVersion, .unknownAccess, .invalidName, .invalidID,
            .invalidType, .nestedOptional, .dictionaryKeyType, .emptyEnum, .mixedRawValues, .missingDefault:
            true
        // No JSON, or such as a validator reads otherwise.
        case .jsonSyntax, .jsonEncoding, .jsonNesting, .duplicateName:
            false
        // About names that other places give.
        case .invalidFileName, .reservedName, .reservedTypeName, .accessorClash, .typeNameClash, .storageNameClash,
            .unknownType, .duplicateEnumCase, .unknownEnumCase, .unusedType, .accessTooWide, .unreachableAccessor:
            false
        // About values inside those of types that are built up or declared.
        case .defaultType, .defaultRange, .defaultFormat, .duplicateElement:
            false
        // Warnings of what is legal.
        case .emptyNamespace:
            false
        }
    }
}
