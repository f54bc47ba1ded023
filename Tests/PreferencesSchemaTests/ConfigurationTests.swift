import Foundation
import PreferencesSchema
import TestSupport
import Testing

@Suite("Configurations")
struct ConfigurationTests {
    private static let folder = Repository.fixtures.appending(path: "Configurations/Refused")
    static let refused = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
        .filter { $0.hasSuffix(".json") }.map { String($0.dropLast(".json".count)) }

    private func read(_ configuration: [UInt8], with schema: String) -> (set: SchemaSet, diagnostics: [Diagnostic]) {
        SchemaSet.read(
            [SchemaSource(path: "Test.preferences.json", bytes: Array(schema.utf8))],
            configuration: .file(SchemaSource(path: "config.json", bytes: configuration))
        )
    }

    private func read(_ configuration: String, with schema: String) -> (set: SchemaSet, diagnostics: [Diagnostic]) {
        read(Array(configuration.utf8), with: schema)
    }

    private func diagnostics(ofFixture name: String) throws -> [Diagnostic] {
        let bytes = try Data(contentsOf: Self.folder.appending(path: "\(name).json"))
        return read(Array(bytes), with: schema(keys: #""a": {"type": "Int?"}"#)).diagnostics
    }

    @Test("A refused configuration has the diagnostics of its '.expected' file", arguments: refused)
    func report(name: String) throws {
        let expected = Self.folder.appending(path: "\(name).expected")
        let lines = try diagnostics(ofFixture: name).flatMap { $0.description.split(separator: "\n") }
        #expect(!lines.isEmpty && lines.allSatisfy { $0.hasPrefix("config.json:") })
        let text = lines.map { $0.dropFirst("config.json:".count) + "\n" }.joined()
        guard !Fixtures.areRewritten else { return try Data(text.utf8).write(to: expected) }
        #expect(try text == String(contentsOf: expected, encoding: .utf8))
    }

    @Test("Every rule about configurations has a refused configuration")
    func everyRule() throws {
        let rules = Set(try Self.refused.flatMap { try diagnostics(ofFixture: $0).map(\.rule) })
        #expect(Rule.ofConfigurations.subtracting(rules) == [])
    }

    @Test(
        "A faulty configuration suppresses the diagnostics that depend on it, and no others",
        arguments: [
            #"{"access": "pubic"}"#, #"{"access": 1}"#, #"{"access": }"#, #"{"acess": "public", "imports": ["A"]}"#,
            "", "[]",
        ]
    )
    func faulty(configuration: String) {
        let schema = #"""
            {"formatVersion": 1, "host": "A.swift", "types": {"T": {"external": "A.T"}, "U": {"enum": ["a"]}},
             "keys": {"a": {"type": "T?", "setAccess": "package"}, "b": {"type": "Itn?"}}}
            """#
        let found = read(configuration, with: schema).diagnostics
        #expect(found.contains { $0.path == "config.json" })
        let unreadable = SchemaSet.read(
            [SchemaSource(path: "Test.preferences.json", bytes: Array(schema.utf8))],
            configuration: .unreadable
        )
        for diagnostics in [found.filter { $0.path != "config.json" }, unreadable.diagnostics] {
            #expect(diagnostics.map(\.rule) == [.unusedType, .unknownType])
        }
    }

    @Test("The configured access level applies to schemas without their own")
    func access() throws {
        let without = read(#"{"access": "public"}"#, with: schema(keys: #""a": {"type": "Int?"}"#))
        #expect(without.diagnostics == [])
        #expect(without.set.schemas.first?.access == .public)
        #expect(without.set.schemas.first?.root.keys.first?.access == .public)
        let with = read(
            #"{"access": "public"}"#,
            with: #"{"formatVersion": 1, "access": "package", "keys": {"a": {"type": "Int?"}}}"#
        )
        #expect(with.diagnostics == [])
        #expect(with.set.schemas.first?.access == .package)
    }

    @Test("A configured fileprivate access needs no warning where a host file holds all accessors")
    func hosted() throws {
        let schema = #"{"formatVersion": 1, "host": "Test.swift", "keys": {"a": {"type": "Int?"}}}"#
        let (set, diagnostics) = read(#"{"access": "fileprivate"}"#, with: schema)
        #expect(diagnostics == [])
        #expect(set.schemas.first?.root.keys.first?.access == .fileprivate)
    }

    @Test("All fields are optional")
    func empty() throws {
        let (set, diagnostics) = read("{}", with: schema(keys: #""a": {"type": "Int?"}"#))
        #expect(diagnostics == [])
        #expect(set.schemas.first?.access == .internal)
        #expect(set.configuration.hostDirectory == nil)
        #expect(set.schemas.first?.imports == [])
    }

    @Test("The fields are read", arguments: ["Hosts/Deep", "Hosts/Deep/"])
    func fields(directory: String) throws {
        let (set, diagnostics) = read(
            #"{"$schema": "x", "hostDirectory": "\#(directory)", "imports": ["Station", "Darwin.C"]}"#,
            with: schema(keys: #""a": {"type": "Int?"}"#)
        )
        #expect(diagnostics == [])
        #expect(set.configuration.hostDirectory == "Hosts/Deep")
        #expect(set.schemas.first?.imports.map(\.module) == ["Darwin.C", "Station"])
    }
}
