import PreferencesSchema
import Testing

@Suite("Hostile types, constraints and includes")
struct HostileTypeTests {
    @Test("10,000 structs that each contain the next are read, and refused where the last has the first inside")
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

    @Test("A file whose folder leads back to itself has an end", arguments: [1, 2])
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

    @Test("A chain of 2,000 files that include each the next is read, and refused where the last includes the first")
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

    @Test("10,000 choices of 10,000 cases, and as many elements held against them, are read")
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

    @Test("A struct of 10,000 fields is read, with a default that has all of them")
    func wideStruct() {
        let fields = (0..<10_000).map { #""f\#($0)": "Int""# }.joined(separator: ",")
        let values = (0..<10_000).map { #""f\#($0)": 1"# }.joined(separator: ",")
        let keys = #""a": {"type": "S", "default": {\#(values)}}"#
        #expect(read(schema(keys: keys, types: #""S": {"struct": {\#(fields)}}"#)).diagnostics == [])
    }

    @Test("A pattern of 1 MB, or of a thousand brackets, is refused in short", arguments: ["a", "(", "[", "\\\\"])
    func hugePatterns(_ repeated: String) {
        for count in [1_000, 1_000_000] {
            let pattern = String(repeating: repeated, count: count)
            let diagnostics = read(schema(keys: #""a": {"type": "String?", "pattern": "\#(pattern)"}"#)).diagnostics
            let isSound = count == 1_000 && !["(", "["].contains(repeated)
            #expect(diagnostics.map(\.rule) == (isSound ? [] : [.invalidPattern]))
            #expect(diagnostics.allSatisfy { $0.description.utf8.count < 500 })
        }
    }

    @Test("3,000 ignores, of which half are of use, are held against as many findings")
    func manyIgnores() {
        let keys = (0..<3_000).map { index in
            let fields = index.isMultiple(of: 2) ? #""type": "Int", "default": 1, "secret": true"# : #""type": "Int?""#
            return #""k\#(index)": {\#(fields), "lint": {"ignore": ["secret-default"]}}"#
        }
        let diagnostics = read(schema(keys: keys.joined(separator: ","))).diagnostics
        #expect(diagnostics.map(\.rule) == Array(repeating: .unusedIgnore, count: 1_500))
    }

    @Test("An expression of 1 MB is looked over", arguments: ["(", "\\\"", "a"])
    func hugeExpressions(_ repeated: String) {
        let expression = String(repeating: repeated, count: 1_000_000)
        let keys = #""a": {"type": "Int", "defaultExpression": "\#(expression)"}"#
        #expect(read(schema(keys: keys)).diagnostics.map(\.rule) == (repeated == "(" ? [.invalidExpression] : []))
    }
}
