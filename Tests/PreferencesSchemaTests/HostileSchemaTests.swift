import Foundation
import PreferencesSchema
import TestSupport
import Testing

@Suite("Hostile schemas")
struct HostileSchemaTests {
    @Test("Thousands of misspelt types beside thousands of types do not take minutes")
    func manyMisspeltTypes() {
        let types = (0..<3_000).map { #""TypeOfNumber\#($0)": {"enum": ["a"]}"# }.joined(separator: ", ")
        let keys = (0..<3_000).map { #""k\#($0)": {"type": "TypOfNumber\#($0)"}"# }.joined(separator: ", ")
        let diagnostics = read(#"{"formatVersion": 1, "types": {\#(types)}, "keys": {\#(keys)}}"#).diagnostics
        let unknown = diagnostics.filter { $0.rule == .unknownType }
        #expect(unknown.count == 3_000)
        // The first ones have a suggestion, the others the general advice.
        #expect(unknown.first?.notes.map(\.message) == ["did you mean 'TypeOfNumber0'?"])
        #expect(unknown.last?.notes.map(\.message) == ["declare it under 'types', or use one of Swift's own"])
    }

    @Test("200,000 keys in one place are read")
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
        "A name, type or format of 1 MB is reported in short",
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

    @Test("A schema with any one byte changed is either read or has faults in places within it")
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

    @Test("A schema with tokens changed at random is either read or has faults", arguments: 0..<10 as Range<UInt64>)
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

    /// Either there is a schema, or a fault says why not, and every place is within the text.
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

    @Test("Once many candidates have been compared, no more are listed")
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

    @Test("What is said of thousands of faults is in proportion to their number", arguments: ManyFaults.allCases)
    func messageSizes(of faults: ManyFaults) {
        let sizes = [1_000, 2_000].map { count in
            let diagnostics = read(faults.text(count)).diagnostics
            #expect(diagnostics.count >= count)
            return diagnostics.map(\.description.utf8.count).reduce(0, +)
        }
        #expect(sizes[1] < sizes[0] * 5 / 2)
    }

    @Test("An ignore is taken by the innermost object, beside others of its rule")
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

/// Schemas with as many faults as are asked for, about a type with as many members.
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

    /// The default of an array of structs, of as many values as the struct has fields.
    private static func structs(_ count: Int, fieldType: String, value: (Int) -> String) -> String {
        let fields = (0..<count).map { "\"field\($0)\": \"\(fieldType)\"" }.joined(separator: ",")
        let values = (0..<count).map(value).joined(separator: ",")
        return schema(
            keys: #""k": {"type": "[T]", "default": [\#(values)]}"#,
            types: #""T": {"struct": {\#(fields)}}"#
        )
    }
}
