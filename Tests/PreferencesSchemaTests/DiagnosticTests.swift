import Foundation
import PreferencesSchema
import Testing

@Suite("Diagnostics")
struct DiagnosticTests {
    @Test("The text has the format of compilers, with each note on its own line")
    func text() {
        let (_, diagnostics) = read(schema(keys: #""a": {"type": "Sting", "default": ""}"#))
        #expect(
            diagnostics.map(\.description) == [
                """
                Test.preferences.json:1:59: error: unknown type 'Sting' [unknown-type]
                Test.preferences.json:1:59: note: did you mean 'String'?
                """
            ]
        )
    }

    @Test("The JSON has the same contents in fields")
    func json() throws {
        let (_, diagnostics) = read(schema(keys: #""a": {"type": "\u0007Sting\"", "default": ""}"#))
        let data = Data(try #require(diagnostics.first).json.utf8)
        let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(object["path"] as? String == "Test.preferences.json")
        #expect(object["line"] as? Int == 1)
        #expect(object["column"] as? Int == 58)
        #expect(object["severity"] as? String == "error")
        #expect(object["message"] as? String == #"unknown type '\u{7}Sting"'"#)
        #expect(object["rule"] as? String == "unknown-type")
        let notes = try #require(object["notes"] as? [[String: Any]])
        #expect(notes.map { $0["message"] as? String } == ["did you mean 'String'?"])
        #expect(notes.map { $0["column"] as? Int } == [58])
    }

    @Test("Diagnostics are sorted by path, line and column")
    func sorted() {
        let text = Array(#"{"formatVersion": 1, "x": 1,\#n "y": 1, "keys": {"a": {"type": "Q"}, "b": 1}}"#.utf8)
        let (_, diagnostics) = SchemaSet.read(
            ["b/Two", "b/One", "a/Three"].map { SchemaSource(path: "\($0).preferences.json", bytes: text) }
        )
        let places = diagnostics.map {
            "\($0.path):\(String(format: "%03d:%03d", $0.position.line, $0.position.column))"
        }
        #expect(places == places.sorted())
        #expect(Set(diagnostics.map(\.path)).count == 3)
    }

    @Test("Ids of rules are lowercase words joined by hyphens, and are unique")
    func ruleIDs() {
        let ids = Rule.allCases.map(\.rawValue)
        #expect(Set(ids).count == ids.count)
        for id in ids { #expect(id.wholeMatch(of: /[a-z]+(-[a-z]+)*/) != nil) }
    }

    @Test("A schema with only warnings is read completely")
    func warnings() throws {
        let (schema, diagnostics) = read(
            #"{"formatVersion": 1, "types": {"T": {"enum": ["a"]}}, "namespaces": {"n": {}, "m": {"keys": {"a": {"type": "Int?"}}}}}"#
        )
        #expect(diagnostics.map(\.rule) == [.unusedType, .emptyNamespace])
        #expect(diagnostics.allSatisfy { $0.severity == .warning })
        #expect(schema?.root.namespaces.map(\.keys.count) == [0, 1])
    }
}

@Suite("The documentation of rules")
struct RuleCatalogueTests {
    /// The rules that a schema alone can break. The examples of the others are tested with the generator.
    private static let ofSchemas = Rule.allCases.filter {
        !Rule.ofGeneratedCode.contains($0) && !Rule.ofConfigurations.contains($0)
    }

    @Test("A bad example breaks its rule, and no other than those listed", arguments: ofSchemas)
    func badExample(of rule: Rule) {
        let diagnostics = rule.badExample.diagnostics
        #expect(diagnostics.contains { $0.rule == rule })
        let others = diagnostics.filter { $0.rule != rule }
        #expect(others.map(\.rule) == rule.entry.alsoFound, "\(others)")
        #expect(others.allSatisfy { $0.severity == .warning })
    }

    @Test("A good example breaks no rule", arguments: ofSchemas)
    func goodExample(of rule: Rule) {
        #expect(rule.goodExample.diagnostics.map(\.description) == [])
    }

    @Test("Only ignorable rules can be ignored", arguments: ofSchemas)
    func ignoring(_ rule: Rule) {
        var example = rule.badExample
        let lint = #""lint": { "ignore": ["\#(rule.rawValue)"] },"#
        example.files[0].text.replace(#""formatVersion": 1,"#, with: #""formatVersion": 1, \#(lint)"#)
        let rules = example.diagnostics.map(\.rule)
        #expect(rules.contains(rule) == !rule.isIgnorable)
        #expect(!rule.isIgnorable || rules == [])
    }

    @Test("Every group has rules, and every rule is in one group")
    func groups() {
        #expect(RuleGroup.allCases.filter(\.rules.isEmpty) == [])
        #expect(RuleGroup.allCases.flatMap(\.rules).count == Rule.allCases.count)
    }

    @Test("Warnings have their own group")
    func warnings() {
        #expect(RuleGroup.warnings.rules == Rule.allCases.filter { $0.severity == .warning })
    }

    @Test("The documentation of a rule is two sentences, each of which fits on a line", arguments: Rule.allCases)
    func sentences(of rule: Rule) {
        for sentence in [rule.entry.finding, rule.entry.reason] {
            #expect(sentence.hasSuffix(".") && !sentence.contains(where: \.isNewline))
            #expect(sentence.first?.isUppercase == true)
        }
        #expect(rule.entry.finding.count <= 86)
        #expect(rule.entry.reason.count <= 120)
        #expect(rule.meaning == "\(rule.entry.finding) \(rule.entry.reason)")
    }

    @Test("Examples are short", arguments: Rule.allCases)
    func length(of rule: Rule) {
        for file in rule.badExample.files + rule.goodExample.files {
            let lines = file.shown.split(separator: "\n")
            #expect(lines.count <= 11)
            #expect(lines.allSatisfy { $0.count <= 112 })
        }
    }

    @Test("Every rule has a unique description")
    func unique() {
        #expect(Set(Rule.allCases.map(\.entry.finding)).count == Rule.allCases.count)
    }

    @Test(
        "A misspelled id finds its rule",
        arguments: [("unkown-type", Rule.unknownType), ("UnusedType", .unusedType), ("json-sintax", .jsonSyntax)]
    )
    func nearest(id: String, rule: Rule) {
        #expect(Rule.nearest(to: id) == rule)
    }

    @Test("A text that resembles no id finds no rule", arguments: ["", "banana", "x"])
    func none(id: String) {
        #expect(Rule.nearest(to: id) == nil)
    }
}

extension RuleExample {
    /// The diagnostics of the schemas, read together with the files that they include.
    fileprivate var diagnostics: [Diagnostic] {
        let schemas = files.filter { $0.name.hasSuffix(".preferences.json") }
        let (_, diagnostics) = SchemaSet.read(
            schemas.map { SchemaSource(path: $0.name, bytes: Array($0.text.utf8)) },
            including: { path in
                files.first { $0.name == path && path.hasSuffix(".preferences-include.json") }
                    .map { .text(Array($0.text.utf8)) } ?? .missing("No such file or directory")
            }
        )
        return diagnostics
    }
}
