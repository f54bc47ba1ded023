import PreferencesRuntime
import Testing

@testable import PreferencesRemote

@Suite("Machines that are partitioned and killed at random")
struct RoamingPropertyTests {
    @Test("read the same values after all, and break no rule", arguments: 0..<6)
    func rulesAreKept(group: Int) throws {
        let seeds = UInt64(group * 50)..<UInt64(group * 50 + 50)
        let violations = try seeds.flatMap { try RoamingSimulation.violations(seed: $0) }
        #expect(violations == [])
    }

    /// A rule whose merge is made wrong.
    struct Mutant: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let rule: PreferenceMergeRule
        let merge: @Sendable (ConcurrentChanges) -> MergeResult

        init(
            _ description: String,
            _ rule: PreferenceMergeRule,
            _ merge: @escaping @Sendable (ConcurrentChanges) -> MergeResult
        ) {
            (testDescription, self.rule, self.merge) = (description, rule, merge)
        }
    }

    @Test(
        "show the fault of a store that is made wrong deliberately",
        arguments: [
            Mutant("last: always takes the pushed value", .last) { .value($0.wanted) },
            Mutant("last: always keeps the shared value", .last) { .value($0.current) },
            Mutant("union: forgets removals", .union) { PreferenceMergeRule.merge(.union, $0.withoutBase) },
            Mutant("union: takes the pushed value", .union) { .value($0.wanted) },
            Mutant("max: takes the pushed value", .max) { .value($0.wanted) },
            Mutant("min: keeps the shared value", .min) { .value($0.current) },
            Mutant("sum: takes the pushed value", .sum) { .value($0.wanted) },
            Mutant("sum: adds whole values", .sum) { PreferenceMergeRule.merge(.sum, $0.withoutBase) },
            Mutant("ask: takes the pushed value", .ask) { .value($0.wanted) },
            Mutant("ask: keeps the shared value alone", .ask) { .value($0.current) },
        ]
    )
    func mutantIsFound(mutant: Mutant) throws {
        try expectViolation(of: mutant.rule.rawValue) { seed in
            try RoamingSimulation.violations(seed: seed) { mechanism in
                mechanism.merge = {
                    $0 == mutant.rule ? mutant.merge($1) : PreferenceMergeRule.merge($0, $1)
                }
            }
        }
    }

    @Test("show that a push whose marker is lost is repeated")
    func lostMarkerIsFound() throws {
        try expectViolation(of: "sum") { seed in
            try RoamingSimulation.violations(seed: seed, on: SharedServer(dropsMarkers: true))
        }
    }

    private func expectViolation(of key: String, _ violations: (_ seed: UInt64) throws -> [String]) throws {
        let found = try (0..<100 as Range<UInt64>).lazy.compactMap { seed in
            try violations(seed).first { $0.contains(": \(key): ") }
        }.first
        #expect(found != nil)
    }
}

extension ConcurrentChanges {
    fileprivate var withoutBase: ConcurrentChanges {
        ConcurrentChanges(base: nil, wanted: wanted, current: current, isLater: isLater)
    }
}
