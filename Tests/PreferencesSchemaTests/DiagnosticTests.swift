import Foundation
import PreferencesSchema
import Testing

@Suite("Diagnostics")
struct DiagnosticTests {
    @Test("The text is that of compilers, notes on lines of their own")
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

    @Test("The JSON has the same in fields")
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

    @Test("They are sorted by path, line and column")
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

    @Test("Rules' ids are words in lower case with hyphens, and no two are alike")
    func ruleIDs() {
        let ids = Rule.allCases.map(\.rawValue)
        #expect(Set(ids).count == ids.count)
        for id in ids { #expect(id.wholeMatch(of: /[a-z]+(-[a-z]+)*/) != nil) }
    }

    @Test("A schema with nothing but warnings is read whole")
    func warnings() throws {
        let (schema, diagnostics) = read(
            #"{"formatVersion": 1, "types": {"T": {"enum": ["a"]}}, "namespaces": {"n": {}, "m": {"keys": {"a": {"type": "Int?"}}}}}"#
        )
        #expect(diagnostics.map(\.rule) == [.unusedType, .emptyNamespace])
        #expect(diagnostics.allSatisfy { $0.severity == .warning })
        #expect(schema?.root.namespaces.map(\.keys.count) == [0, 1])
    }
}
