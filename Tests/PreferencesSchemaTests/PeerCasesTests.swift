import Foundation
import TestSupport
import Testing

/// What other schema compilers refuse, restated: each of their cases that has a counterpart here, and the schemas that
/// are refused for it.
@Suite("What peers refuse")
struct PeerCasesTests {
    @Test("Each of their cases has a refused schema, for the reason that it has here", arguments: PeerCase.all)
    func isRestated(_ peerCase: PeerCase) throws {
        #expect(!peerCase.fixtures.isEmpty)
        for name in peerCase.fixtures {
            let fixture = try #require(Fixtures.refused.first { $0.name == name }, "\(name) is gone")
            let expected = try String(contentsOf: fixture.expected, encoding: .utf8)
            #expect(expected.contains("[\(peerCase.rule)]"), "\(name) is refused for another reason")
        }
    }

    @Test("No case stands here twice")
    func areDistinct() {
        let names = PeerCase.all.map(\.description)
        #expect(Set(names).count == names.count)
    }
}

/// A case that another schema compiler refuses.
struct PeerCase: Sendable, CustomStringConvertible {
    var peer: String
    /// The case in words of this package.
    var words: String
    var rule: String
    var fixtures: [String]

    init(_ peer: String, _ words: String, _ rule: String, _ fixtures: String...) {
        self.peer = peer
        self.words = words
        self.rule = rule
        self.fixtures = fixtures
    }

    var description: String { "\(peer): \(words)" }

    static let all = glib + kconfig + nimbus + glean
}
