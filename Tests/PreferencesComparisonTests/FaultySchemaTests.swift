import PreferencesComparison
import PreferencesSchema
import TestSupport
import Testing

/// The comparison of schemas that the commands refuse before.
@Suite("Comparing faulty schemas")
struct FaultySchemaTests {
    private static let valid = Fixtures.accepted + Fixtures.golden

    private static func read(_ fixture: Fixture) throws -> SchemaSet {
        let sources = try fixture.paths.map { SchemaSource(path: $0, bytes: try fixture.bytes(of: $0)) }
        return SchemaSet.read(sources) { path in
            (try? fixture.bytes(of: path)).map { .text($0) } ?? .missing("no such file")
        }.set
    }

    @Test("Valid schemas equal themselves, and any schema can be compared with any other")
    func fixtures() throws {
        let sets = try (Self.valid + Fixtures.refused).map { try Self.read($0) }
        try #require(sets.count > 100)
        for (index, set) in sets.enumerated() {
            let same = SchemaComparison(from: set, to: set)
            // Faulty schemas can declare a name twice; the first declaration counts.
            if index < Self.valid.count { #expect(same.changes == [], "\(Self.valid[index])") }
            let other = SchemaComparison(from: set, to: sets[(index + 1) % sets.count])
            for change in other.changes {
                #expect(!change.message.isEmpty && !change.message.hasSuffix(".") && !change.fix.hasSuffix("."))
                #expect(change.position.line >= 1 && change.position.column >= 1)
            }
        }
    }

    @Test("Modules without schemas can be compared")
    func empty() {
        let found = SchemaComparison(from: schemaSet([]).set, to: schemaSet([]).set)
        #expect(found.changes == [] && found.unusedAcceptances == [])
    }
}
