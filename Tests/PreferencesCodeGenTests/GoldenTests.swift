import Foundation
import PreferencesCodeGen
import PreferencesSchema
import TestSupport
import Testing

/// The code generated from each schema in `Tests/Fixtures/Schemas/Golden` is in the file beside it.
///
/// `PREFERENCES_REWRITE_FIXTURES=1 swift test --filter GoldenTests` updates these files.
@Suite("Generated source")
struct GoldenTests {
    @Test("Generated source equals the file beside the schema", arguments: Fixtures.golden)
    func golden(_ fixture: Fixture) throws {
        for (path, text) in zip(fixture.paths, try fixture.generated()) {
            guard !Fixtures.areRewritten else {
                try Data(text.utf8).write(to: fixture.expected(path))
                continue
            }
            let expected = try String(contentsOf: fixture.expected(path), encoding: .utf8)
            #expect(
                text.split(separator: "\n", omittingEmptySubsequences: false)
                    == expected.split(separator: "\n", omittingEmptySubsequences: false)
            )
        }
    }

    @Test("Generated source is the same at each run", arguments: Fixtures.golden + Fixtures.accepted)
    func deterministic(_ fixture: Fixture) throws {
        #expect(try fixture.generated() == fixture.generated())
    }

    @Test(
        "Generated source does not depend on the folder of the schemas",
        arguments: Fixtures.golden + Fixtures.accepted
    )
    func independentOfFolder(_ fixture: Fixture) throws {
        let here = try fixture.generated()
        for folder in ["/", "/somewhere/else/", "../", "./"] {
            let sources = try fixture.sources().map { SchemaSource(path: folder + $0.path, bytes: $0.bytes) }
            let (set, _) = SchemaSet.read(sources) { path in
                fixture.included(String(path.dropFirst(path.hasPrefix(folder) ? folder.count : 0)))
            }
            #expect(set.schemas.map(SwiftGenerator.generate) == here)
        }
    }

    @Test(
        "Generated source ends with one line end, and no line ends with a space",
        arguments: Fixtures.golden + Fixtures.accepted
    )
    func ends(_ fixture: Fixture) throws {
        for text in try fixture.generated() {
            #expect(text.hasSuffix("\n") && !text.hasSuffix("\n\n"))
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            // In multiline literals, spaces are part of the value.
            for line in lines where !text.contains("\"\"\"") { #expect(line.last != " ") }
        }
    }

    @Test("All lines end with a line feed only", arguments: Fixtures.golden + Fixtures.accepted)
    func lineEnds(_ fixture: Fixture) throws {
        for text in try fixture.generated() {
            for scalar in text.unicodeScalars where scalar != "\n" {
                switch scalar.properties.generalCategory {
                case .control, .lineSeparator, .paragraphSeparator: Issue.record("\(scalar.escaped(asASCII: true))")
                default: break
                }
                #expect(!("\u{202A}"..."\u{202E}").contains(scalar) && !("\u{2066}"..."\u{2069}").contains(scalar))
            }
        }
    }

    @Test("Every type in generated source is declared there or has a reserved name", arguments: Fixtures.golden)
    func reservedTypes(_ fixture: Fixture) throws {
        let texts = try fixture.generated()
        let declarations = /(?:enum|struct|protocol|case|var|typealias) `?(\w+)/
        let declared = Set(texts.flatMap { $0.matches(of: declarations).map { String($0.1) } })
        // The types in expressions and of external types of the fixtures need not be reserved.
        let others: Set = [
            "InternalImportsByDefault", "_PreferencesRuntimeForGeneratedCode1", "Locale", "DateComponents",
            "ProcessInfo", "StationHooks", "MarkHooks", "CupHooks",
        ]
        for text in texts {
            let code = text.split(separator: "\n")
                .filter { !$0.drop { $0 == " " }.hasPrefix("//") && !$0.drop { $0 == " " }.hasPrefix("#") }
                .joined(separator: "\n")
                .replacing(/"(?:[^"\\\n]|\\.)*"/, with: "")
            let used = Set(code.matches(of: /[:(<\[,=] ?([A-Z]\w*)/).map { String($0.1) })
            for name in used.subtracting(declared).subtracting(others).sorted() {
                let text = #"{"formatVersion":1,"types":{"\#(name)":{"enum":["a"]}},"keys":{"a":{"type":"\#(name)?"}}}"#
                let source = SchemaSource(path: "T.preferences.json", bytes: Array(text.utf8))
                let rules = SchemaSet.read([source]).diagnostics.map(\.rule)
                #expect(rules.contains(.reservedTypeName), "'\(name)' is not reserved")
            }
        }
    }

    @Test("An extension has at most a few hundred members")
    func largeNamespaces() throws {
        let keys = (0..<1001).map { #""key\#($0)":{"type":"Int?"}"# }.joined(separator: ",")
        let text = #"{"formatVersion":1,"namespaces":{"n":{"keys":{\#(keys)}}}}"#
        let (set, _) = SchemaSet.read([SchemaSource(path: "T.preferences.json", bytes: Array(text.utf8))])
        let source = SwiftGenerator.generate(try #require(set.schemas.first))
        let extensions = source.split(separator: "extension NPreferences {")
        #expect(extensions.dropFirst().map { $0.matches(of: /var key/).count } == [200, 200, 200, 200, 200, 1])
    }

    @Test("Many namespaces are spread over several extensions", arguments: [false, true])
    func manyNamespaces(isNested: Bool) throws {
        let inner = (0..<401).map { #""n\#($0)":{"keys":{"key":{"type":"Int?"}}}"# }.joined(separator: ",")
        let namespaces = isNested ? #""outer":{"namespaces":{\#(inner)}}"# : inner
        let text = #"{"formatVersion":1,"namespaces":{\#(namespaces)}}"#
        let (set, _) = SchemaSet.read([SchemaSource(path: "T.preferences.json", bytes: Array(text.utf8))])
        let source = SwiftGenerator.generate(try #require(set.schemas.first))
        let opening = isNested ? "nonisolated extension OuterPreferences {" : "nonisolated extension Preferences {"
        let extensions = source.split(separator: opening).dropFirst()
            .map { $0.split(separator: "\n}\n").first ?? "" }
        #expect(extensions.map { $0.matches(of: /var n/).count } == [200, 200, 1])
    }

    @Test("A namespace has the former names of its keys in host files, and a namespace in a host file has its own")
    func formerNamesOfHostedKeys() throws {
        let text = #"""
            {"formatVersion": 1, "namespaces": {"n": {
              "host": "Host.swift",
              "keys": {
                "a": {"type": "Int?", "access": "fileprivate", "renamedFrom": "a1"},
                "b": {"type": "Int?", "renamedFrom": "b1"}
              },
              "namespaces": {"m": {"access": "fileprivate", "keys": {"c": {"type": "Int?", "renamedFrom": "c1"}}}}
            }}}
            """#
        let (set, diagnostics) = SchemaSet.read([SchemaSource(path: "T.preferences.json", bytes: Array(text.utf8))])
        #expect(diagnostics == [])
        let source = SwiftGenerator.generate(try #require(set.schemas.first))
        #expect(source.contains(#"    static var formerStorageNames: [String] { ["a1", "b1", "c1"] }"#))
        let regions = HostRegions.regions(of: set).map { $0.topLevelLines.joined(separator: "\n") }
        #expect(regions.map { $0.contains("static var") } == [false, true])
        #expect(regions.last?.contains(#"fileprivate static var storageName: String { "n:m" }"#) == true)
        #expect(regions.last?.contains(#"fileprivate static var formerStorageNames: [String] { ["c1"] }"#) == true)
    }

    @Test("A schema of 200,000 keys is read and generated")
    func manyKeys() throws {
        let namespaces = (0..<200).map { namespace in
            let keys = (0..<1000).map { #""key\#($0)":{"type":"Int","default":\#($0),"description":"Key \#($0)."}"# }
            return #""namespace\#(namespace)":{"keys":{\#(keys.joined(separator: ","))}}"#
        }
        let text = #"{"formatVersion":1,"namespaces":{\#(namespaces.joined(separator: ","))}}"#
        let (set, diagnostics) = SchemaSet.read([SchemaSource(path: "Many.preferences.json", bytes: Array(text.utf8))])
        #expect(diagnostics == [])
        let source = SwiftGenerator.generate(try #require(set.schemas.first))
        #expect(source.utf8.count > 200_000 * 200)
    }

    @Test("A default of 1 MB is generated")
    func longDefault() throws {
        let long = String(repeating: "a\\\"", count: 330_000)
        let text = #"{"formatVersion":1,"keys":{"a":{"type":"String","default":"\#(long)"}}}"#
        let (set, _) = SchemaSet.read([SchemaSource(path: "Long.preferences.json", bytes: Array(text.utf8))])
        let source = SwiftGenerator.generate(try #require(set.schemas.first))
        #expect(source.split(separator: "\n").allSatisfy { $0.utf8.count <= 120 })
        #expect(source.utf8.count > 990_000)
    }
}
