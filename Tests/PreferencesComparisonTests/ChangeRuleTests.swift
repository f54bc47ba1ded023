import PreferencesSchema
import Testing

@Suite("Rules about changes")
struct ChangeRuleTests {
    @Test("Ids are lowercase words joined by hyphens, and differ from those of other rules")
    func ids() {
        let ids = ChangeRule.allCases.map(\.rawValue)
        #expect(Set(ids).count == ids.count)
        for id in ids { #expect(id.wholeMatch(of: /[a-z]+(-[a-z]+)*/) != nil) }
        #expect(Set(ids).isDisjoint(with: Rule.allCases.map(\.rawValue)))
    }

    @Test("Every class has rules", arguments: ChangeClass.allCases)
    func classes(_ changeClass: ChangeClass) {
        #expect(ChangeRule.allCases.contains { $0.changeClass == changeClass })
    }
}
