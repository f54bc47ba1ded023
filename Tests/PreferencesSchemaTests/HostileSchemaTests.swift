import Foundation
import PreferencesSchema
import TestSupport
import Testing

@Suite("Hostile schemas")
struct HostileSchemaTests {
    @Test("Thousands of misspelled types beside thousands of declared ones are reported within seconds")
    func manyMisspelledTypes() {
        let types = (0..<3_000).map { #""TypeOfNumber\#($0)": {"enum": ["a"]}"# }.joined(separator: ", ")
        let keys = (0..<3_000).map { #""k\#($0)": {"type": "TypOfNumber\#($0)"}"# }.joined(separator: ", ")
        let diagnostics = read(#"{"formatVersion": 1, "types": {\#(types)}, "keys": {\#(keys)}}"#).diagnostics
        let unknown = diagnostics.filter { $0.rule == .unknownType }
        #expect(unknown.count == 3_000)
        // The first have a suggestion, the others only general advice.
        #expect(unknown.first?.notes.map(\.message) == ["did you mean 'TypeOfNumber0'?"])
        #expect(unknown.last?.notes.map(\.message) == ["declare it under 'types', or use one of Swift's own"])
    }

    @Test("200,000 keys in one object are read")
    func manyKeysInOnePlace() {
        let keys = (0..<200_000).map { #""key\#($0)":{"type":"Bool?"}"# }
        let (schema, diagnostics) = read(schema(keys: keys.joined(separator: ",")))
        #expect(diagnostics == [])
        #expect(schema?.root.keys.count == 200_000)
    }

    @Test("20,000 faulty keys are each reported")
    func manyFaults() {
        let keys = (0..<20_000).map { #""key\#($0)":{"type":"Intt?"}"# }
        let (_, diagnostics) = read(schema(keys: keys.joined(separator: ",\n")))
        #expect(diagnostics.count == 20_000)
        #expect(diagnostics.last?.position.line == 20_000)
    }

    @Test("A default of 100 MB is read")
    func longDefault() {
        let text = String(repeating: "a", count: 100_000_000)
        let (schema, diagnostics) = read(schema(keys: #""a": {"type": "String", "default": "\#(text)"}"#))
        #expect(diagnostics == [])
        #expect(schema?.root.keys.first?.plainDefault == .string(text))
    }

    @Test(
        "Messages about a name, a type or a value of 1 MB are short",
        arguments: [
            #""-X": {"type": "Int?"}"#, #""a": {"type": "X"}"#, #""a": {"type": "Int?", "X": 1}"#,
            #""a": {"type": "Date", "default": "X"}"#, #""a": {"type": "Int?", "access": "X"}"#,
            #""a": {"type": "Int?", "id": ":X"}"#,
        ]
    )
    func longNames(keys: String) {
        let long = String(repeating: "x", count: 1_000_000)
        let (_, diagnostics) = read(schema(keys: keys.replacingOccurrences(of: "X", with: long)))
        #expect(diagnostics.count == 1)
        #expect(diagnostics.allSatisfy { $0.description.utf8.count < 10_000 })
    }

    @Test("The deepest nesting of namespaces fits the stack of a secondary thread on Apple platforms")
    func deepNamespaces() async {
        // Two levels of JSON for each namespace, two for its key, and one for the file.
        let levels = 62
        let opening = (0..<levels).map { #"{"namespaces":{"n\#($0)":"# }.joined().dropFirst()
        let text =
            #"{"formatVersion":1,"# + opening + #"{"keys":{"a":{"type":"Int?"}}}"#
            + String(repeating: "}}", count: levels)
        let (schema, diagnostics) = await onSmallStack { read(text) }
        #expect(diagnostics == [])
        #expect(schema?.allNamespaces.count == levels + 1)
    }

    @Test("The deepest type is read", arguments: [("[", "]"), ("Set<", ">"), ("[String:", "]")])
    func deepTypes(opening: String, closing: String) {
        for depth in [31, 32, 100_000] {
            let type = String(repeating: opening, count: depth) + "Int" + String(repeating: closing, count: depth) + "?"
            let rules = read(schema(keys: #""a": {"type": "\#(type)"}"#)).diagnostics.map(\.rule)
            #expect(rules == (depth < 32 ? [] : [.invalidType]))
        }
    }

    @Test("A schema cut off at any byte has a fault")
    func truncations() {
        let bytes = Array(Self.sample.utf8)
        for length in 0..<bytes.count {
            #expect(expectSound(Array(bytes[..<length])).contains { $0.severity == .error }, "after \(length) bytes")
        }
    }

    @Test("A schema with one changed byte is either read or has faults at places within it")
    func mutatedBytes() {
        var bytes = Array(Self.sample.utf8)
        for index in bytes.indices {
            let original = bytes[index]
            for replacement in Array("\"\\}],:0x?".utf8) + [0xFF] {
                bytes[index] = replacement
                expectSound(bytes)
            }
            bytes[index] = original
        }
    }

    @Test("A schema with randomly changed tokens is either read or has faults", arguments: 0..<10 as Range<UInt64>)
    func mutatedTokens(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let tokens = Self.tokens
        let strange = [
            "null", "true", "0", "-1", "1.5", "1e400", #""""#, #""a""#, #""Int""#, #""[T]""#, #""Set<Int?>""#,
            #""keys""#,
            #""type""#, #""enum""#, #""default""#, #""namespaces""#, #""\ud800""#, "{}", "[]", "{", "}", "[", "]", ",",
            ":",
            #""watch""#, #""Preferences""#, #""public""#, #""fileprivate""#, #""a:b""#, #""id""#, #""\u0000""#,
        ]
        for _ in 0..<150 {
            var mutated = tokens
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let index = Int.random(in: mutated.indices, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: mutated[index] = strange.randomElement(using: &random) ?? ""
                case 1: mutated.remove(at: index)
                case 2: mutated.insert(mutated.randomElement(using: &random) ?? "", at: index)
                default: mutated.swapAt(index, Int.random(in: mutated.indices, using: &random))
                }
            }
            expectSound(Array(mutated.joined(separator: " ").utf8))
        }
    }

    private static let sample = #"""
        {"formatVersion": 1, "access": "public",
         "types": {"T": {"enum": ["a", "b"], "description": "é"}, "N": {"enum": {"one": 1, "two": -2}}},
         "keys": {"count": {"type": "Int8", "default": -7}},
         "namespaces": {"weather": {"id": "w-s", "access": "package", "keys": {
           "t": {"type": "[T?]", "default": ["a", null], "id": "x"}, "n": {"type": "N?"},
           "s": {"type": "Set<Double>", "default": [1, 2.5e3], "description": "日\n"},
           "m": {"type": "[String: Duration]", "default": {"a": 1.5, "b": 0}, "access": "internal"},
           "d": {"type": "Date", "default": "2026-01-31T12:00:00Z"}, "u": {"type": "URL?", "default": "https://a.b/"}},
          "namespaces": {"radar": {"keys": {"data": {"type": "Data", "default": "AAE="}}}}}}}
        """#

    private static var tokens: [String] {
        sample.matches(of: /"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+/).map { String($0.0) }
    }

    /// Expects either a schema or an error, and only positions within the text.
    @discardableResult
    private func expectSound(_ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) -> [Diagnostic] {
        let (schema, diagnostics) = read(bytes)
        let lines = bytes.count { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } + 1
        let positions = diagnostics.map(\.position) + diagnostics.flatMap { $0.notes.map(\.position) }
        guard schema != nil || diagnostics.contains(where: { $0.severity == .error }),
            positions.allSatisfy({ (1...lines).contains($0.line) && (1...bytes.count + 1).contains($0.column) })
        else {
            let text = String(decoding: bytes, as: UTF8.self)
            Issue.record("\(text) gives \(diagnostics.map(\.description))", sourceLocation: sourceLocation)
            return diagnostics
        }
        return diagnostics
    }

    @Test("After many comparisons, candidates are no longer evaluated")
    func suggestionBudget() {
        var suggestions = Suggestions()
        var lists = 0
        func list() -> [String] {
            lists += 1
            return Array(repeating: "candidate", count: 1_500)
        }
        for _ in 0..<1_000 { _ = suggestions.nearest(to: "candidat", among: list()) }
        #expect(lists == 14)
    }

    @Test("The output grows linearly with the number of faults", arguments: ManyFaults.allCases)
    func messageSizes(of faults: ManyFaults) {
        let sizes = [1_000, 2_000].map { count in
            let diagnostics = read(faults.text(count)).diagnostics
            #expect(diagnostics.count >= count)
            return diagnostics.map(\.description.utf8.count).reduce(0, +)
        }
        #expect(sizes[1] < sizes[0] * 5 / 2)
    }

    @Test("The innermost of several ignores suppresses a finding")
    func nestedIgnores() {
        func key(_ name: String, _ lint: String) -> String {
            #""\#(name)": {"type": "Int?", "deprecated": ""\#(lint)}"#
        }
        let ignore = #", "lint": {"ignore": ["empty-deprecation"]}"#
        let text = """
            {"formatVersion": 1, "namespaces": {
              "a": {"keys": {\(key("x", ignore)), \(key("y", ""))}\(ignore)},
              "b": {"keys": {\(key("x", "")), \(key("y", ignore))}},
              "c": {"keys": {\(key("x", ignore)), \(key("y", ignore))}\(ignore)}
            }}
            """
        #expect(
            read(text).diagnostics.map { "\($0.position.line) \($0.rule.rawValue)" } == [
                "3 empty-deprecation", "4 unused-ignore",
            ]
        )
    }
}

/// Schemas with a given number of faults about a type with the same number of members.
enum ManyFaults: CaseIterable {
    case unknownCases
    case missingFields
    case unknownFields

    func text(_ count: Int) -> String {
        switch self {
        case .unknownCases:
            let cases = (0..<count).map { "\"case\($0)\"" }.joined(separator: ",")
            let keys = (0..<count).map { #""k\#($0)": {"type": "T", "default": "x\#($0)y"}"# }.joined(separator: ",")
            return schema(keys: keys, types: #""T": {"enum": [\#(cases)]}"#)
        case .missingFields:
            return Self.structs(count, fieldType: "Int") { _ in "{}" }
        case .unknownFields:
            return Self.structs(count, fieldType: "Int?") { #"{"unknown\#($0)": 1}"# }
        }
    }

    /// Returns a schema with a default of as many structs as the struct has fields.
    private static func structs(_ count: Int, fieldType: String, value: (Int) -> String) -> String {
        let fields = (0..<count).map { "\"field\($0)\": \"\(fieldType)\"" }.joined(separator: ",")
        let values = (0..<count).map(value).joined(separator: ",")
        return schema(
            keys: #""k": {"type": "[T]", "default": [\#(values)]}"#,
            types: #""T": {"struct": {\#(fields)}}"#
        )
    }
}

@Suite("Hostile types, constraints and includes")
struct HostileTypeTests {
    @Test("A chain of 10,000 structs is read, and refused if the last contains the first")
    func longChainOfStructs() async {
        let count = 10_000
        let types = (0..<count).map { #""T\#($0)": {"struct": {"next": "T\#($0 + 1)", "x": "Int"}}"# }
        @Sendable func text(last: String) -> String {
            schema(keys: #""a": {"type": "T0?"}"#, types: (types + [#""T\#(count)": \#(last)"#]).joined(separator: ","))
        }
        let (plain, elsewhere, circle) = await onSmallStack {
            (
                read(text(last: #"{"struct": {"x": "Int"}}"#)), read(text(last: #"{"external": "Colour"}"#)),
                read(text(last: #"{"struct": {"first": "T0?"}}"#))
            )
        }
        #expect(plain.diagnostics == [] && elsewhere.diagnostics == [])
        #expect(plain.schema?.structs.count { $0.isHashable } == count + 1)
        #expect(elsewhere.schema?.structs.count { $0.isHashable } == 0)
        #expect(circle.diagnostics.map(\.rule) == [.recursiveStruct])
        #expect(circle.diagnostics.allSatisfy { $0.message.utf8.count < 500 })
    }

    @Test("Includes through a folder that links to itself come to an end", arguments: [1, 2])
    func foldersWithoutEnd(count: Int) async throws {
        let includes = ["a", "b"].prefix(count).map { "\"\($0)/I.preferences-include.json\"" }.joined(separator: ", ")
        let main = #"{"formatVersion": 1, "includes": [\#(includes)], "keys": {"k": {"type": "Int?"}}}"#
        let (_, diagnostics) = await onSmallStack {
            SchemaSet.read([SchemaSource(path: "A.preferences.json", bytes: Array(main.utf8))]) { _ in
                .text(Array(#"{"formatVersion": 1, "includes": [\#(includes)]}"#.utf8))
            }
        }
        let first = try #require(diagnostics.first { $0.rule == .includePath || $0.rule == .includeCycle })
        #expect(diagnostics.count { $0.rule == first.rule } == 1)
        #expect(
            first.message
                == (count == 1 ? "the path of the file is longer than 4096 bytes" : "more than 3000 files are included")
        )
    }

    @Test("A chain of 2,000 includes is read, and refused if the last file includes the first")
    func longChainOfIncludes() async {
        let count = 2_000
        @Sendable func path(_ index: Int) -> String { "I\(index).preferences-include.json" }
        @Sendable func readChain(last: String) -> (schemas: [Schema], diagnostics: [Diagnostic]) {
            var files = [path(count): #"{"formatVersion": 1, \#(last)}"#]
            for index in 0..<count {
                let keys = #""keys": {"k\#(index)": {"type": "Int?"}}"#
                files[path(index)] = #"{"formatVersion": 1, "includes": ["\#(path(index + 1))"], \#(keys)}"#
            }
            return read(
                ["A.preferences.json": #"{"formatVersion": 1, "includes": ["\#(path(0))"]}"#],
                including: files
            )
        }
        let (plain, circle) = await onSmallStack {
            (readChain(last: #""keys": {}"#), readChain(last: #""includes": ["\#(path(0))"]"#))
        }
        #expect(plain.diagnostics == [])
        #expect(plain.schemas.first?.root.keys.count == count)
        #expect(circle.diagnostics.map(\.rule) == [.includeCycle])
    }

    @Test("10,000 choices of an enum, and 10,000 elements checked against them, are read")
    func manyChoices() {
        let names = (0..<10_000).map { #""c\#($0)""# }.joined(separator: ",")
        let (schema, diagnostics) = read(
            schema(
                keys: #"""
                    "a": {"type": "[T]", "default": [\#(names)], "each": {"choices": [\#(names)]}},
                    "b": {"type": "String", "default": "c1", "pattern": "c[0-9]+", "choices": [\#(names)]}
                    """#,
                types: #""T": {"enum": [\#(names)]}"#
            )
        )
        #expect(diagnostics == [])
        #expect(schema?.root.keys.count == 2)
    }

    @Test("A struct of 10,000 fields is read, with a default for all of them")
    func wideStruct() {
        let fields = (0..<10_000).map { #""f\#($0)": "Int""# }.joined(separator: ",")
        let values = (0..<10_000).map { #""f\#($0)": 1"# }.joined(separator: ",")
        let keys = #""a": {"type": "S", "default": {\#(values)}}"#
        #expect(read(schema(keys: keys, types: #""S": {"struct": {\#(fields)}}"#)).diagnostics == [])
    }

    @Test(
        "A pattern of 1 MB or of a thousand brackets is refused with a short message",
        arguments: ["a", "(", "[", "\\\\"]
    )
    func hugePatterns(_ repeated: String) {
        for count in [1_000, 1_000_000] {
            let pattern = String(repeating: repeated, count: count)
            let diagnostics = read(schema(keys: #""a": {"type": "String?", "pattern": "\#(pattern)"}"#)).diagnostics
            let isSound = count == 1_000 && !["(", "["].contains(repeated)
            #expect(diagnostics.map(\.rule) == (isSound ? [] : [.invalidPattern]))
            #expect(diagnostics.allSatisfy { $0.description.utf8.count < 500 })
        }
    }

    @Test("3,000 ignores, half of them unused, are compared with as many findings")
    func manyIgnores() {
        let keys = (0..<3_000).map { index in
            let fields = index.isMultiple(of: 2) ? #""type": "Int", "default": 1, "secret": true"# : #""type": "Int?""#
            return #""k\#(index)": {\#(fields), "lint": {"ignore": ["secret-default"]}}"#
        }
        let diagnostics = read(schema(keys: keys.joined(separator: ","))).diagnostics
        #expect(diagnostics.map(\.rule) == Array(repeating: .unusedIgnore, count: 1_500))
    }

    @Test("An expression of 1 MB is scanned", arguments: ["(", "\\\"", "a"])
    func hugeExpressions(_ repeated: String) {
        let expression = String(repeating: repeated, count: 1_000_000)
        let keys = #""a": {"type": "Int", "defaultExpression": "\#(expression)"}"#
        #expect(read(schema(keys: keys)).diagnostics.map(\.rule) == (repeated == "(" ? [.invalidExpression] : []))
    }
}
