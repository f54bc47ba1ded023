import PreferencesComparison
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
        #expect(!changeClass.rules.isEmpty)
    }

    @Test("The example of a rule breaks it and no other", arguments: ChangeRule.allCases)
    func example(of rule: ChangeRule) {
        let entry = rule.entry
        let found = comparison(from: entry.oldExample.texts, to: entry.newExample.texts)
        #expect(!found.changes.isEmpty)
        #expect(found.changes.allSatisfy { $0.rule == rule }, "\(found.text)")
    }

    @Test("Without a change, no rule is broken", arguments: ChangeRule.allCases)
    func noChange(_ rule: ChangeRule) {
        for example in [rule.entry.oldExample, rule.entry.newExample] {
            #expect(comparison(from: example.texts, to: example.texts).changes == [])
        }
    }

    @Test("The examples have no faults, and are short", arguments: ChangeRule.allCases)
    func examples(of rule: ChangeRule) {
        for example in [rule.entry.oldExample, rule.entry.newExample] {
            #expect(schemaSet(example.texts).diagnostics.map(\.description) == [])
            #expect(example.files.allSatisfy { $0.shown.split(separator: "\n").count <= 5 })
            #expect(example.files.flatMap { $0.shown.split(separator: "\n") }.allSatisfy { $0.count <= 116 })
        }
    }

    @Test(
        "The documentation of a rule is three sentences, each of which fits on a line",
        arguments: ChangeRule.allCases
    )
    func sentences(of rule: ChangeRule) {
        for sentence in [rule.entry.finding, rule.entry.consequence, rule.entry.remedy] {
            #expect(sentence.hasSuffix(".") && !sentence.contains(where: \.isNewline))
            #expect(sentence.first?.isUppercase == true)
            #expect(sentence.count <= 104)
        }
    }

    @Test("A misspelled id has a suggestion")
    func nearest() {
        #expect(ChangeRule.nearest(to: "type-change") == .typeChanged)
        #expect(ChangeRule.nearest(to: "banana") == nil)
    }
}

extension RuleExample {
    fileprivate var texts: [(name: String, text: String)] { files.map { ($0.name, $0.text) } }
}
