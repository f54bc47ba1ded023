import PreferencesComparison
import PreferencesSchema
import TestSupport
import Testing

/// The accessors from before the change of a rule's example write, and those from after it read.
@Suite("Proofs of the rules about changes")
struct RuleProofTests {
    /// The rules of the class "behavior" without effect on the values that a program has stored.
    private static let harmless: [ChangeRule] = [
        .secretMoved, .defaultChanged, .unitChanged, .managedAdded, .managedRemoved, .sharingAdded, .mergeChanged,
    ]

    @Test("Every rule about stored values loses what its example says, and keeps it where its advice is followed")
    func proofs() async throws {
        try await withTemporaryDirectory { folder in
            let results = try await RuleProofs.run(in: folder)
            for rule in ChangeRule.allCases where rule.changeClass == .storage || Self.harmless.contains(rule) {
                let proof = try #require(RuleProof(of: rule), "'\(rule.rawValue)' has no proof")
                let space = RuleProofs.space(of: rule)
                #expect(
                    results.readings[rule] == proof.found.replacing("SPACE", with: space),
                    "'\(rule.rawValue)' after the change"
                )
                #expect(
                    results.fixedReadings[rule] == proof.fixedFound.replacing("SPACE", with: space),
                    "'\(rule.rawValue)' with its advice"
                )
                #expect(results.broken[rule]?.contains(rule) == true, "\(rule.rawValue): \(results.broken[rule] ?? [])")
                #expect(
                    results.brokenByFixes[rule]?.contains { $0.changeClass == .storage } == false,
                    "\(rule.rawValue): \(results.brokenByFixes[rule] ?? [])"
                )
            }
        }
    }
}
