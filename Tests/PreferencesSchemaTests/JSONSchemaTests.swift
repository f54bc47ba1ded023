import Foundation
import TestSupport
import Testing

@testable import PreferencesSchema

/// The JSON Schemas in `Schemas`, which editors use for completion and validation, agree with the generator.
@Suite("JSON Schemas for editors")
struct JSONSchemaTests {
    private static let folder = Repository.folder.appending(path: "Schemas", directoryHint: .isDirectory)
    private static let language = folder.appending(path: "preferences.schema.json")

    @Test(
        "The JSON Schemas are valid, and every field has a description and valid examples",
        arguments: [
            "preferences.schema.json", "preferences-generator-config.schema.json", "diagnostics.schema.json",
            "changes.schema.json",
        ]
    )
    func schemaItself(name: String) async throws {
        let validation = try await SchemaValidation.run(schema: Self.folder.appending(path: name)).schema
        #expect(validation.faults.map(\.description) == [])
    }

    @Test("Schemas that the generator accepts are valid")
    func accepted() async throws {
        let fixtures = Fixtures.accepted + Fixtures.golden
        let own = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).filter {
            $0.hasSuffix(Fixtures.ending)
        }
        let files =
            fixtures.flatMap { fixture in fixture.allPaths.map { fixture.folder.appending(path: $0) } }
            + own.map { Self.folder.appending(path: $0) }
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
        let validations = try await validations(of: snippets.map(String.init))
        #expect(validations.flatMap(\.faults).map(\.description) == [])
    }

    @Test("Schemas that the generator refuses for their structure are invalid at the same place")
    func refused() async throws {
        let fixtures = Fixtures.refused.filter { !Self.beyondPatterns.contains($0.name) }
        let files = fixtures.flatMap { fixture in fixture.allPaths.map { (fixture: fixture, path: $0) } }
        let urls = files.map { $0.fixture.folder.appending(path: $0.path) }
        let validations = try await SchemaValidation.run(schema: Self.language, files: urls).files
        var rules: Set<Rule> = []
        for (file, validation) in zip(files, validations) where validation.isJSON {
            let bytes = try file.fixture.bytes(of: file.path)
            guard let root = JSONReader.read(bytes).root else { continue }
            let diagnostics = try file.fixture.read().diagnostics.filter {
                $0.path == file.path && $0.rule.isStructural
            }
            let lines = LineTable(bytes)
            for diagnostic in diagnostics {
                let path = root.path(to: diagnostic.position, in: lines)
                #expect(validation.faults.contains { $0.path.starts(with: path) }, "\(diagnostic)")
                rules.insert(diagnostic.rule)
            }
        }
        #expect(rules.count > 10)
    }

    /// Fixtures with a fault of a structural rule that no regular expression can find.
    private static let beyondPatterns: Set = ["invalid-type-too-deep"]

    @Test("A structural fault is found at the same place as by the generator")
    func faults() async throws {
        let texts = Self.faults.map { #"{"formatVersion": 1, \#($0.members)}"# }
        for (text, (fault, validation)) in zip(texts, zip(Self.faults, try await validations(of: texts))) {
            let bytes = Array(text.utf8)
            let root = try JSONReader.parse(bytes)
            let diagnostics = read(text).diagnostics.filter(\.rule.isStructural)
            #expect(Set(diagnostics.map(\.rule)) == fault.rules, "\(text)")
            for diagnostic in diagnostics {
                let path = root.path(to: diagnostic.position, in: LineTable(bytes))
                #expect(validation.faults.contains { $0.path.starts(with: path) }, "\(diagnostic)")
            }
        }
    }

    private static let faults: [(members: String, rules: Set<Rule>)] = [
        (#""imports": ["a b"]"#, [.invalidImport]), (#""imports": ["A.", "B"]"#, [.invalidImport]),
        (#""includes": ["x.json", "/a.preferences-include.json"]"#, [.includePath]),
        (#""includes": ["a/.preferences-include.json"]"#, [.includePath]),
        (#""host": "a.txt""#, [.invalidHost]), (#""host": "../A.swift""#, [.invalidHost]),
        (#""host": "a//A.swift""#, [.invalidHost]), (#""host": ".swift""#, [.invalidHost]),
        (#""host": "./A.swift""#, [.invalidHost]), (#""host": "A.swift\u0000""#, [.invalidHost]),
        (#""catalogue": 1"#, [.wrongJSONType]),
        (#""hooks": "A B""#, [.invalidName]), (#""hooks": 1"#, [.wrongJSONType]),
        (#""namespaces": {"n": {"hooks": "A."}}"#, [.invalidName]),
        (#""reserved": [""]"#, [.invalidID]), (#""reserved": "a""#, [.wrongJSONType]),
        (#""lint": {"ignore": ["unused-typ"]}"#, [.unknownRule]), (#""lint": {"ignor": []}"#, [.unknownField]),
        (#""lint": {"ignore": ["json-syntax"]}"#, [.ruleNotIgnorable]),
        (#""acceptedChanges": [{"rule": "type-chan", "subject": "a", "reason": "b"}]"#, [.unknownRule]),
        (#""acceptedChanges": [{"rule": "type-changed", "subject": " "}]"#, [.missingField]),
        (#""acceptedChanges": [{"rule": 1, "subject": "a"}, 1]"#, [.wrongJSONType, .missingField]),
        (#""acceptedChanges": [{"rule": "type-changed", "reason": "a", "subjct": ""}]"#, [.unknownField]),
        (#""types": {"T": {"enum": ["a"], "struct": {"a": "Int"}}}"#, [.typeKind]),
        (#""types": {"T": {"struct": {}}}"#, [.emptyStruct]),
        (#""types": {"T": {"struct": []}}"#, [.wrongJSONType]),
        (#""types": {"T": {"struct": {"a": 1}}}"#, [.wrongJSONType]),
        (#""types": {"T": {"struct": {"a": {"id": ":"}}}}"#, [.missingField, .invalidID]),
        (#""types": {"T": {"struct": {"a b": "Int"}}}"#, [.invalidName]),
        (#""types": {"T": {"struct": {"a": "[Int"}}}"#, [.invalidType]),
        (#""types": {"T": {"external": "A..B"}}"#, [.invalidName]), (#""types": {"T": {}}"#, [.missingField]),
        (#""types": {"T": {"enum": {"a": {"value": true, "labe": ""}}}}"#, [.wrongJSONType, .unknownField]),
        (#""types": {"T": {"enum": {"a": 1, "b": {"label": "B"}}}}"#, [.mixedRawValues]),
        (#""keys": {"k": {"type": "Int", "default": 1, "defaultExpression": "1"}}"#, [.defaultConflict]),
        (#""keys": {"k": {"type": "Int?", "id": "a", "storageName": "b"}}"#, [.storageNameConflict]),
        (#""keys": {"k": {"type": "Int?", "storageName": ""}}"#, [.invalidID]),
        (#""keys": {"k": {"type": "Int?", "storageName": "::version"}}"#, [.invalidID]),
        (#""keys": {"k": {"type": "Int?", "platformDefaults": {"macos": 1}}}"#, [.unknownPlatform]),
        (#""keys": {"k": {"type": "String?", "minLength": -1, "maxLength": 1.5}}"#, [.invalidLimit]),
        (#""keys": {"k": {"type": "Int?", "choices": []}}"#, [.emptyChoices]),
        (#""keys": {"k": {"type": "[Int]?", "each": {}}}"#, [.missingField]),
        (#""keys": {"k": {"type": "[Int]?", "each": {"odd": 1}}}"#, [.missingField, .unknownField]),
        (#""keys": {"k": {"type": "Int?", "readOnly": 1, "secret": "", "unit": 1}}"#, [.wrongJSONType]),
        (#""keys": {"k": {"type": "Int?", "managed": 1}}"#, [.wrongJSONType]),
        (#""namespaces": {"n": {"managed": "yes"}}"#, [.wrongJSONType]),
        (#""keys": {"k": {"type": "Int?", "managed": true, "secret": true}}"#, [.managedSecret]),
        (#""keys": {"k": {"type": "Int?", "scope": 1, "merge": true}}"#, [.wrongJSONType]),
        (#""namespaces": {"n": {"scope": "users"}}"#, [.unknownScope]),
        (#""keys": {"k": {"type": "Int?", "scope": "User", "merge": "Last"}}"#, [.unknownScope, .unknownMergeRule]),
        (#""keys": {"k": {"type": "Int?", "scope": "fleet", "secret": true}}"#, [.sharedSecret]),
        (#""keys": {"k": {"type": "Int?", "renamedFrom": ["", 1]}}"#, [.invalidID, .wrongJSONType]),
        (#""keys": {"k": {"type": "Int?", "setAccess": "private"}}"#, [.unknownAccess]),
    ]

    @Test("Editors offer exactly the ignorable rules, and the rules about changes")
    func rules() throws {
        let ignorable = try texts(at: ["$defs", "lint", "properties", "ignore", "items", "enum"])
        #expect(ignorable == Rule.allCases.filter(\.isIgnorable).map(\.rawValue).sorted())
        let aboutChanges = try texts(at: ["$defs", "acceptedChange", "properties", "rule", "enum"])
        #expect(aboutChanges == ChangeRule.allCases.map(\.rawValue).sorted())
    }

    /// Returns the strings of an array in the JSON Schema of the language.
    private func texts(at path: [String]) throws -> [String] {
        let root = try JSONReader.parse(Array(try Data(contentsOf: Self.language)))
        let array = try #require(path.reduce(root) { $0?[$1] })
        guard case .array(let elements) = array.content else {
            Issue.record("no array")
            return []
        }
        return elements.map { if case .string(let text) = $0.content { text } else { "" } }
    }

    @Test("Fields that depend on the type are validated for built-in types")
    func types() async throws {
        let keys = [
            #""Bool", "default": 0"#, #""Bool?", "default": "a""#, #""Int8", "default": 1.5"#,
            #"" UInt64 ? ", "default": true"#, #""Double", "default": "1""#, #""Duration", "default": "1x""#,
            #""String", "default": 1"#, #""String", "default": null"#, #""Date", "default": "2026-01-31""#,
            #""UUID", "default": "1234""#, #""Data", "default": "A""#, #""[Int]", "default": {}"#,
            #""Set<Int>?", "default": 1"#, #""[String: Int]", "default": []"#, #""T", "default": null"#,
            #""Int", "defaultExpression": "1", "default": 1"#, #""[Int?]""#, #""Bool?", "minimum": 0"#,
            #""Int?", "pattern": "a""#, #""Int?", "choices": ["a"]"#, #""Date?", "maximum": 1"#,
            #""[Int]?", "maxLength": 1"#, #""String?", "maxCount": 1"#, #""URL?", "minLength": 1"#,
            #""Int?", "platformDefaults": {"linux": "a"}"#, #""Int?", "readOnly": true, "setAccess": "internal""#,
        ]
        let texts = keys.map { #"{"formatVersion": 1, "keys": {"a": {"type": \#($0)}}}"# }
        for (key, validation) in zip(keys, try await validations(of: texts)) {
            #expect(validation.faults.contains { $0.path.starts(with: ["keys", "a"]) }, "\(key)")
        }
    }

    /// Members of a key, and whether its values, bounds and choices have its type.
    private static let typedValues: [(key: String, isValid: Bool)] = [
        (#""Int8", "default": -128"#, true), (#""Int8", "default": -129"#, false), (#""Int8", "default": 1e2"#, true),
        (#""Int8", "default": 5.0"#, true), (#""Int8", "default": 1.5"#, false), (#""UInt?", "default": null"#, true),
        (#""UInt", "default": -1"#, false), (#""UInt16", "default": 65536"#, false),
        (#""UInt64", "default": 18446744073709551615"#, true), (#""UInt64", "default": 18446744073709551616"#, false),
        (#""Int", "default": -9223372036854775808"#, true), (#""Int", "default": 9223372036854775808"#, false),
        (#""Int32", "default": 0, "platformDefaults": {"linux": 2147483648}"#, false),
        (#""Int8?", "minimum": -129"#, false), (#""Int8?", "maximum": 127"#, true),
        (#""UInt8?", "maximum": 256"#, false),
        (#""UInt8?", "choices": [0, 255]"#, true), (#""UInt8?", "choices": [0, 256]"#, false),
        (#""[UInt8]?", "each": {"maximum": 256}"#, false),
        (#""[UInt8]?", "each": {"maximum": 255}, "maxCount": 256"#, true),
        (#""[[UInt8]]?", "each": {"each": {"choices": [1, -1]}}"#, false),
        (#""[[UInt8]]?", "each": {"maxCount": 300, "each": {"choices": [1, 2]}}"#, true),
        (#""Float", "default": 3.5e38"#, false), (#""Float", "default": 3.4e38"#, true),
        (#""[Int]", "default": ["a"]"#, false), (#""[Int]", "default": [1, 2.0]"#, true),
        (#""[String: Bool]", "default": {"a": 1}"#, false), (#""[String: Bool]", "default": {"a": true}"#, true),
        (#""Set<UInt8>", "default": [256]"#, false), (#""Set<UInt8>", "default": [255]"#, true),
        (#""[Int?]", "default": [null]"#, true), (#""[Int]", "default": [null]"#, false),
        (#""[[Int]]", "default": [1]"#, false), (#""[[Int]]", "default": [[1]]"#, true),
        (#""[[Int]]", "default": [[[1]]]"#, false), (#""[[[Int]]]", "default": [[1]]"#, false),
        (#""[[Int?]]", "default": [[null]]"#, true), (#""[[Int]?]", "default": [[null]]"#, false),
        (#""[[Int]?]", "default": [null]"#, true), (#""[ String : [ Int ] ]", "default": {"a": [1]}"#, true),
        (#""[ String : [ Int ] ]", "default": {"a": 1}"#, false), (#""[[String: Int]]", "default": [[]]"#, false),
        (#""[Data]", "default": ["AA===", "AAEC"]"#, false), (#""[Data]", "default": ["AA==", "AAEC"]"#, true),
        (#""Data", "default": "AB==""#, false), (#""Data", "default": "AAB=""#, false),
        (#""[Date?]", "default": ["1582-12-31T23:59:59Z"]"#, false),
        (#""[Date?]", "default": ["1583-01-01T00:00:00Z", null]"#, true),
        (#""Date", "default": "9999-12-31T23:59:59Z""#, true), (#""Date", "default": "10000-01-01T00:00:00Z""#, false),
        (#""Date", "default": "2016-12-31T23:59:60Z""#, false), (#""Date", "default": "2026-01-31T24:00:00Z""#, false),
        (#""Date", "default": "2026-01-31T12:00:00+24:00""#, false),
        (#""Date?", "minimum": "1582-01-01T00:00:00Z""#, false),
        (#""Set<UUID>", "default": ["1"]"#, false), (#""[String: URL?]", "default": {"a": null, "b": "c"}"#, true),
        (#""[S]", "default": [{"a": 1, "b": null}]"#, true),
        (#""[String: [S]]", "default": {"a": [{"a": 300}]}"#, true),
        (#""[E]", "default": ["x"]"#, true), (#""[E?]", "default": [null]"#, true), (#""E?", "choices": ["x"]"#, true),
        (#""[E]", "default": [null]"#, false),
    ]

    @Test("A value of a built-in type is valid if the generator accepts it")
    func typedValues() async throws {
        let types = #""types": {"S": {"struct": {"a": "Int", "b": "Int?"}}, "E": {"enum": ["x"]}}"#
        let texts = Self.typedValues.map { #"{"formatVersion": 1, \#(types), "keys": {"k": {"type": \#($0.key)}}}"# }
        for (text, (sample, validation)) in zip(texts, zip(Self.typedValues, try await validations(of: texts))) {
            let rules: Set<Rule> = [.valueType, .valueRange, .valueFormat]
            #expect(read(text).diagnostics.contains { rules.contains($0.rule) } != sample.isValid, "\(sample.key)")
            #expect(validation.faults.isEmpty == sample.isValid, "\(sample.key): \(validation.faults)")
        }
    }

    @Test("A field of a struct is validated like a key")
    func typedFields() async throws {
        let fields = [
            (#""UInt8", "default": 256"#, false), (#""[Int]", "default": [1]"#, true),
            (#""[Int]", "default": ["a"]"#, false),
        ]
        let texts = fields.map { #"{"formatVersion": 1, "types": {"S": {"struct": {"a": {"type": \#($0.0)}}}}}"# }
        for ((field, isValid), validation) in zip(fields, try await validations(of: texts)) {
            #expect(validation.faults.isEmpty == isValid, "\(field)")
        }
    }

    @Test(
        "A text is a valid duration in defaults and bounds if the generator accepts it",
        arguments: [
            ("5m", true), ("1h30m", true), ("1d 2h 3m 4s", true), (" 1.5 s ", true), ("-250ms", true), ("+2s", true),
            ("3us", true), ("3\u{B5}s", true), ("3\u{3BC}s", true), ("7ns", true), ("007m", true), ("5min", false),
            ("", false), ("5", false), ("5x", false), ("1s1m", false), ("1m1m", false), (".5s", false), ("5.s", false),
            ("1..5s", false), ("1e3s", false), ("5M", false), ("- 5s", false), ("5m5", false), ("m5", false),
        ]
    )
    func durations(text: String, isValid: Bool) async throws {
        let texts = [
            schema(keys: #""k": {"type": "Duration", "default": "\#(text)"}"#),
            schema(keys: #""k": {"type": "Duration?", "default": "\#(text)"}"#),
            schema(keys: #""k": {"type": "[String: [Duration]]", "default": {"a": ["\#(text)"]}}"#),
            schema(keys: #""k": {"type": "Duration?", "minimum": "\#(text)"}"#),
            schema(keys: #""k": {"type": "Set<Duration>?", "each": {"choices": [0.5, "\#(text)"]}}"#),
            schema(
                keys: #""k": {"type": "S?"}"#,
                types: #""S": {"struct": {"a": {"type": "Duration", "default": "\#(text)"}}}"#
            ),
        ]
        for (text, validation) in zip(texts, try await validations(of: texts)) {
            #expect(read(text).diagnostics.isEmpty == isValid, "\(text)")
            #expect(validation.faults.isEmpty == isValid, "\(text)")
        }
    }

    @Test("A value of any shape is valid if the generator accepts it")
    func anyValues() async throws {
        let scalars = ValueType.builtIn.keys.sorted().filter { $0 != "URL" && $0 != "Duration" }
        let values = [
            "null", "true", "0", "-1", "5.0", "1e2", "1.5", "127", "128", "-128", "-129", "255", "256", "-32769",
            "65536",
            "2147483648", "4294967296", "9223372036854775807", "18446744073709551616", #""a""#, #""AAEC""#, #""AB==""#,
            #""2026-01-31T12:00:00Z""#, #""123E4567-E89B-12D3-A456-426614174000""#,
        ]
        var random = SeededRandom(seed: 16)
        func pick(_ texts: [String]) -> String { texts.randomElement(using: &random) ?? "" }
        let samples = (0..<1_500).map { _ -> (type: String, value: String) in
            var (type, value) = (pick(scalars), pick(values))
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                let isDictionary = Bool.random(using: &random)
                type = pick([type, type + "?"])
                type = pick(isDictionary ? ["[String: \(type)]"] : ["[\(type)]", "Set<\(type)>"])
                // Sometimes with a level missing, or with other brackets.
                value = pick(
                    isDictionary
                        ? ["{\"a\": \(value)}", "{\"a\": \(value)}", "[]", "[\(value)]", value]
                        : ["[\(value)]", "[\(value)]", "{}", value]
                )
            }
            return (pick([type, type + "?"]), value)
        }
        let texts = samples.map { schema(keys: #""k": {"type": "\#($0.type)", "default": \#($0.value)}"#) }
        let keys = samples.enumerated().map { #""k\#($0)": {"type": "\#($1.type)", "default": \#($1.value)}"# }
        let validation = try await validations(of: [schema(keys: keys.joined(separator: ", "))])
        let refused = Set(validation.flatMap(\.faults).compactMap { $0.path.dropFirst().first })
        for (index, text) in texts.enumerated() {
            #expect(refused.contains("k\(index)") == !read(text).diagnostics.isEmpty, "\(samples[index])")
        }
        #expect((300..<1_200).contains(refused.count))
    }

    @Test("Reserved names of cases and fields are the generator's")
    func reservedMembers() async throws {
        let names = ReservedNames.enumCases.union(ReservedNames.structFields).union(["AllCase", "rawValue", "encoder"])
            .sorted()
        let texts = names.flatMap { name in
            [#"{"enum": ["\#(name)"]}"#, #"{"enum": {"\#(name)": 1}}"#, #"{"struct": {"\#(name)": "Int"}}"#]
        }.map { #"{"formatVersion": 1, "types": {"T": \#($0)}}"# }
        for (text, validation) in zip(texts, try await validations(of: texts)) {
            let isRefused = read(text).diagnostics.contains { $0.rule == .reservedName }
            #expect(validation.faults.isEmpty != isRefused, "\(text)")
        }
    }

    @Test("The spelling of a type with up to three brackets is valid if the generator accepts it")
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
        let validation = try await validations(of: [#"{"formatVersion": 1, "keys": {\#(keys.joined(separator: ","))}}"#]
        )
        let refused = Set(validation.flatMap(\.faults).map { $0.path.dropFirst().first ?? "" })
        for (index, type) in types.enumerated() {
            let key = #""a": {"type": \#(JSONText.quoted(type))}"#
            let text = schema(keys: key, types: #""Settings": {"enum": ["a"]}"#)
            let rules = read(text).diagnostics.map(\.rule)
            // The generator reports an unknown name before it parses the rest.
            if rules.contains(.unknownType) { continue }
            let isRefused = rules.contains { [Rule.invalidType, .nestedOptional, .dictionaryKeyType].contains($0) }
            #expect(refused.contains("k\(index)") == isRefused, "\(type)")
        }
        #expect((1..<types.count).contains(refused.count))
    }

    @Test("A name at the edges of every range of characters is valid if the generator accepts it")
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
        let text = #"{"formatVersion": 1, "types": {\#(members.joined(separator: ","))}}"#
        let validation = try await validations(of: [text])
        // Compared by scalars, since some names are canonically equivalent.
        let refused = Set(validation.flatMap(\.faults).map { $0.path.last.map { Array($0.unicodeScalars) } ?? [] })
        for name in names { #expect(refused.contains(name) != Self.isName(name), "\(name)") }
    }

    private static func text(_ scalars: [Unicode.Scalar]) -> String {
        var text = ""
        text.unicodeScalars.append(contentsOf: scalars)
        return text
    }

    private static func isName(_ scalars: [Unicode.Scalar]) -> Bool { Identifier.isValid(text(scalars)) }

    /// Returns the results of one run of the validator on several texts.
    private func validations(of texts: [String]) async throws -> [SchemaValidation] {
        try await withTemporaryDirectory { folder in
            let files = texts.indices.map { folder.appending(path: "\($0).json") }
            for (file, text) in zip(files, texts) { try Data(text.utf8).write(to: file) }
            return try await SchemaValidation.run(schema: Self.language, files: files).files
        }
    }
}

extension JSONNode {
    fileprivate subscript(name: String) -> JSONNode? {
        guard case .object(let members) = content else { return nil }
        return members.first { $0.name == name }?.value
    }
}

extension Fixture {
    /// The paths of its schemas, and of the files beside them for inclusion.
    fileprivate var allPaths: [String] {
        let inside = FileManager.default.enumerator(atPath: folder.appending(path: name).path)?.compactMap {
            $0 as? String
        }
        return paths + (inside ?? []).filter { $0.hasSuffix(".preferences-include.json") }.map { "\(name)/\($0)" }
    }
}

extension JSONNode {
    /// Returns the names and indices that lead to the innermost member or value at a position.
    func path(to position: TextPosition, in lines: LineTable) -> [String] {
        func contains(_ range: Range<Int>) -> Bool {
            lines.position(at: range.lowerBound) <= position && position < lines.position(at: range.upperBound)
        }
        switch content {
        case .object(let members):
            for member in members {
                if contains(member.nameRange) { return [member.name] }
                if contains(member.value.range) { return [member.name] + member.value.path(to: position, in: lines) }
            }
        case .array(let elements):
            for (index, element) in elements.enumerated() where contains(element.range) {
                return ["\(index)"] + element.path(to: position, in: lines)
            }
        default: break
        }
        return []
    }
}

extension Rule {
    /// Whether a JSON Schema can express the rule, which depends only on one value and its contents.
    var isStructural: Bool {
        switch self {
        case .wrongJSONType, .unknownField, .missingField, .formatVersion, .invalidImport, .invalidName, .invalidID,
            .unknownAccess, .invalidHost, .invalidType, .nestedOptional, .dictionaryKeyType, .typeKind, .emptyEnum,
            .mixedRawValues, .emptyStruct, .missingDefault, .defaultConflict, .unknownPlatform, .invalidLimit,
            .emptyChoices, .unknownRule, .ruleNotIgnorable, .includePath, .storageNameConflict,
            .managedSecret, .unknownScope, .unknownMergeRule, .sharedSecret:
            true
        // Not JSON, or read differently by validators.
        case .jsonSyntax, .jsonEncoding, .jsonNesting, .duplicateName:
            false
        // Depend on other files, or on names declared elsewhere.
        case .missingInclude, .includeCycle, .includeConflict, .invalidFileName, .reservedName, .reservedTypeName,
            .reservedStorageName, .accessorClash, .typeNameClash, .storageNameClash, .formerNameClash, .setAccess,
            .hostConflict, .unknownType, .duplicateEnumCase, .recursiveStruct, .unhashableElement, .externalDefault,
            .unknownEnumCase, .unknownStructField, .missingStructField:
            false
        // About other files than schemas.
        case .hostDirectory, .hostMissing, .hostEncoding, .hostMarkers, .hostRegionMissing, .hostRegionStale,
            .hostRegionEdited, .hostRegionUnwanted, .outputMissing, .outputStale, .unreadableFile,
            .unwritableFile, .invalidHostDirectory, .moduleTypeClash:
            false
        // Depend on declared types.
        case .constraintType, .mergeType:
            false
        // Depends on the namespace.
        case .mergeScope:
            false
        // Depend on values inside compound or declared types, or on several values.
        case .valueType, .valueRange, .valueFormat, .duplicateElement, .invertedRange, .brokenConstraint,
            .mergeDefault, .mergeConstraint:
            false
        // Require another parser.
        case .invalidExpression, .invalidPattern:
            false
        // Warnings.
        case .emptyNamespace, .unusedType, .missingImport, .accessTooWide, .unreachableAccessor, .unusedHost,
            .similarNames,
            .secretDefault, .emptyDeprecation, .unusedIgnore:
            false
        }
    }
}
