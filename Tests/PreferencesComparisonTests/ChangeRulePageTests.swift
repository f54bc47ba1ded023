import Foundation
import PreferencesComparison
import PreferencesSchema
import TestSupport
import Testing

/// `PREFERENCES_REWRITE_FIXTURES=1 swift test --filter ChangeRulePageTests` rewrites the end of the page.
@Suite("The page about changing a schema")
struct ChangeRulePageTests {
    private static let page = Repository.folder.appending(
        path: "Sources/PreferencesRuntime/PreferencesRuntime.docc/ChangingASchema.md"
    )

    @Test("It ends with the documentation of all rules")
    func rules() throws {
        let text = try String(contentsOf: Self.page, encoding: .utf8)
        let marker = try #require(text.firstRange(of: /<!-- Written by: .*ChangeRulePageTests -->\n/))
        let rules = ChangeClass.allCases.map { changeClass in
            "\n### \(changeClass.title) rules\n\n\(changeClass.summary)\n"
                + changeClass.rules.map(Self.section).joined()
        }.joined()
        guard !Fixtures.areRewritten else {
            try Data((text[..<marker.upperBound] + rules).utf8).write(to: Self.page)
            return
        }
        #expect(text[marker.upperBound...].split(separator: "\n") == rules.split(separator: "\n"))
        #expect(text[marker.upperBound...] == rules)
    }

    private static func section(on rule: ChangeRule) -> String {
        let entry = rule.entry
        return "\n#### \(rule.rawValue)\n\n\(entry.finding) \(entry.consequence) \(entry.remedy)\n"
            + "\nBefore:\n" + examples(entry.oldExample) + "\nAfter:\n" + examples(entry.newExample)
    }

    private static func examples(_ example: RuleExample) -> String {
        example.files.map { file in
            let name = example.files.count > 1 ? "\n`\(file.name)`:\n" : ""
            return "\(name)\n```json\n\(file.shown)\n```\n"
        }.joined()
    }

    @Test("The example of the report is what the comparison finds")
    func report() throws {
        let text = try String(contentsOf: Self.page, encoding: .utf8)
        func weather(_ key: String) -> String {
            "{ \"formatVersion\": 1,\n\"namespaces\": {\n  \"weather\": { \"keys\": {\n    \"\(key)\": { \"type\": \"String?\" } } } } }"
        }
        let found = comparison(
            from: [("old/Weather.preferences.json", weather("scale"))],
            to: [("new/Weather.preferences.json", weather("unit"))]
        )
        let change = try #require(found.changes.first)
        #expect(found.changes.count == 1)
        for expected in found.text.map({
            "new/Weather.preferences.json:"
                + $0.replacing(": no key", with: ": error: no key").replacing("[", with: "[storage: ")
        })
            + [change.fix, change.acceptance, "old/Weather.preferences.json:4:5: note: \(change.notes[0].message)"]
        {
            #expect(text.contains(expected), "\(expected)")
        }
    }
}
