import Foundation
import PreferencesJSON
import PreferencesSchema
import TestSupport
import Testing

/// `Schemas/*.schema.json`, by which editors complete, explain and check schemas, say the same as the generator.
@Suite("JSON Schemas for editors")
struct JSONSchemaTests {
    private static let folder = Repository.folder.appending(path: "Schemas", directoryHint: .isDirectory)
    private static let schema = folder.appending(path: "preferences.schema.json")

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
        for validation in try await SchemaValidation.run(schema: Self.schema, files: files).files {
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
            let validations = try await SchemaValidation.run(schema: Self.schema, files: files).files
            #expect(validations.flatMap(\.faults).map(\.description) == [])
        }
    }

    @Test("What the generator refuses for its structure is faulty at the same place")
    func refused() async throws {
        let fixtures = Fixtures.refused.filter { !Self.beyondPatterns.contains($0.name) }
        let files = fixtures.flatMap { fixture in fixture.paths.map { (fixture: fixture, path: $0) } }
        let urls = fixtures.flatMap(\.files)
        let validations = try await SchemaValidation.run(schema: Self.schema, files: urls).files
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

    @Test("A default is checked against its type, as far as that is built in")
    func defaults() async throws {
        try await withTemporaryDirectory { folder in
            let keys = [
                #""Bool", "default": 0"#, #""Bool?", "default": "a""#, #""Int8", "default": 1.5"#,
                #"" UInt64 ? ", "default": true"#, #""Double", "default": "1""#, #""Duration", "default": "1s""#,
                #""String", "default": 1"#, #""String", "default": null"#, #""Date", "default": "2026-01-31""#,
                #""UUID", "default": "1234""#, #""Data", "default": "A""#, #""[Int]", "default": {}"#,
                #""Set<Int>?", "default": 1"#, #""[String: Int]", "default": []"#, #""T", "default": null"#,
                #""Int", "defaultExpression": "1", "default": 1"#, #""[Int?]""#,
            ]
            let files = keys.indices.map { folder.appending(path: "\($0).json") }
            for (file, key) in zip(files, keys) {
                try Data(#"{"formatVersion": 1, "keys": {"a": {"type": \#(key)}}}"#.utf8).write(to: file)
            }
            for (key, validation) in zip(keys, try await SchemaValidation.run(schema: Self.schema, files: files).files)
            {
                #expect(validation.faults.contains { $0.path.starts(with: ["keys", "a"]) }, "\(key)")
            }
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
