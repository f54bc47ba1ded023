import Foundation
import PreferencesSchema
import TestSupport
import Testing

/// Schemas that are refused, or warned about, for one reason each. The file `NAME.expected` beside each has the text of
/// the expected diagnostics without the path.
@Suite("Refused schemas")
struct RefusedFixtureTests {
    @Test("A refused schema has the diagnostics of its '.expected' file", arguments: Fixtures.refused)
    func diagnostics(of fixture: Fixture) throws {
        let text = fixture.text(of: try fixture.read().diagnostics)
        #expect(!text.isEmpty)
        guard !Fixtures.areRewritten else {
            try Data(text.utf8).write(to: fixture.expected)
            return
        }
        let expected = try String(contentsOf: fixture.expected, encoding: .utf8)
        #expect(text.split(separator: "\n") == expected.split(separator: "\n"))
    }

    @Test("Every rule about schemas has a refused schema")
    func everyRule() throws {
        var rules: Set<Rule> = []
        for fixture in Fixtures.refused {
            rules.formUnion(try fixture.read().diagnostics.map(\.rule))
        }
        let others = Rule.ofGeneratedCode.union(Rule.ofConfigurations)
        #expect(Set(Rule.allCases).subtracting(rules) == others)
    }

    @Test("Every '.expected' file belongs to a schema")
    func noneIsStale() throws {
        let folder = Fixtures.folder.appending(path: "Refused")
        let expected = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
            $0.hasSuffix(".expected")
        }
        #expect(Set(expected) == Set(Fixtures.refused.map { "\($0.name).expected" }))
    }

    @Test("Every message is one sentence on one line, without a full stop", arguments: Fixtures.refused)
    func messages(of fixture: Fixture) throws {
        for diagnostic in try fixture.read().diagnostics {
            for message in [diagnostic.message] + diagnostic.notes.map(\.message) {
                #expect(!message.isEmpty && !message.hasSuffix(".") && !message.contains(where: \.isNewline))
                #expect(message.unicodeScalars.count < 2000)
            }
            #expect(diagnostic.description.split(separator: "\n").count == 1 + diagnostic.notes.count)
        }
    }

    @Test("Every position is within its schema", arguments: Fixtures.refused)
    func positions(of fixture: Fixture) throws {
        for diagnostic in try fixture.read().diagnostics {
            let places = [(diagnostic.path, diagnostic.position)] + diagnostic.notes.map { ($0.path, $0.position) }
            for (path, position) in places {
                let bytes = try fixture.bytes(of: path)
                let ends = bytes.count { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
                #expect((1...ends + 1).contains(position.line))
                #expect((1...bytes.count + 1).contains(position.column))
            }
        }
    }

    @Test("The order of the schemas does not change the reported rules", arguments: Fixtures.refused)
    func order(of fixture: Fixture) throws {
        let sources = try fixture.sources()
        // If two declarations clash, the later one is reported.
        let forward = Set(try fixture.read().diagnostics.map(\.rule))
        let backward = SchemaSet.read(sources.reversed(), including: fixture.included).diagnostics
        #expect(Set(backward.map(\.rule)) == forward)
    }
}

@Suite("Accepted schemas")
struct AcceptedFixtureTests {
    @Test("An accepted schema has no diagnostics", arguments: Fixtures.accepted)
    func noDiagnostics(of fixture: Fixture) throws {
        let (set, diagnostics) = try fixture.read()
        #expect(diagnostics.map(\.description) == [])
        #expect(set.schemas.count == fixture.paths.count)
    }

    @Test(
        "Golden schemas have no diagnostics except about unreachable accessors",
        arguments: Fixtures.golden
    )
    func golden(_ fixture: Fixture) throws {
        let (set, diagnostics) = try fixture.read()
        #expect(diagnostics.filter { $0.rule != .unreachableAccessor }.map(\.description) == [])
        #expect(set.schemas.count == fixture.paths.count)
    }

    @Test("All accepted schemas together have no errors, as the schemas of one module")
    func together() throws {
        let fixtures = Fixtures.accepted + Fixtures.golden
        let sources = try fixtures.flatMap { try $0.sources() }
        let included = { (path: String) in
            fixtures.lazy.map { $0.included(path) }.first { if case .text = $0 { true } else { false } }
                ?? .missing("No such file or directory")
        }
        let errors = SchemaSet.read(sources, including: included).diagnostics.filter { $0.severity == .error }
        #expect(errors.map(\.description) == [])
    }
}
