import PreferencesComparison
import PreferencesSchema
import Testing

@Suite("Accepted changes")
struct AcceptanceTests {
    private func schema(_ type: String, _ accepted: String...) -> String {
        "\"acceptedChanges\": [\n\(accepted.joined(separator: ",\n"))\n],\n\"keys\": { \"a\": { \"type\": \"\(type)?\" } }"
    }

    private func accepted(_ rule: String, _ subject: String, _ reason: String) -> String {
        #"{ "rule": "\#(rule)", "subject": "\#(subject)", "reason": "\#(reason)" }"#
    }

    @Test("A change is accepted by its rule and subject, with a reason")
    func accepted() {
        let found = changes(
            from: schema("Int"),
            to: schema("String", accepted("type-changed", "a", "nobody set it"))
        )
        #expect(found.changes.map(\.acceptedReason) == ["nobody set it"])
        #expect(found.unusedAcceptances == [])
    }

    @Test("An acceptance of another rule or subject accepts nothing, and is reported")
    func unused() {
        let found = changes(
            from: schema("Int"),
            to: schema("String", accepted("type-changed", "b", "x"), accepted("unit-changed", "a", "x"))
        )
        #expect(found.changes.map(\.acceptedReason) == [nil])
        #expect(
            found.unusedAcceptances.map { "\($0.path):\($0.position.line):\($0.position.column): \($0.message)" } == [
                "Weather.preferences.json:3:1: no change breaks 'type-changed' with the subject 'b'",
                "Weather.preferences.json:4:1: no change breaks 'unit-changed' with the subject 'a'",
            ]
        )
        #expect(
            found.unusedAcceptances.allSatisfy { $0.fix == "remove it from 'acceptedChanges'" && !$0.isOfEarlierChange }
        )
    }

    @Test("An acceptance that the old schema has does not accept another change")
    func earlier() {
        let old = schema("Int", accepted("type-changed", "a", "first"))
        let same = changes(from: old, to: schema("String", accepted("type-changed", "a", "first")))
        #expect(same.changes.map(\.acceptedReason) == [nil])
        #expect(
            same.unusedAcceptances.map(\.message) == [
                "the old schema accepts 'type-changed' of 'a' for the same reason, so that this does not accept "
                    + "another such change"
            ]
        )
        #expect(same.unusedAcceptances.map(\.fix) == ["give the new change a reason of its own"])
        let other = changes(
            from: old,
            to: schema("String", accepted("type-changed", "a", "first"), accepted("type-changed", "a", "second"))
        )
        #expect(other.changes.map(\.acceptedReason) == ["second"])
        #expect(other.unusedAcceptances.map(\.fix) == ["remove it from 'acceptedChanges'"])
    }

    @Test("An acceptance of an earlier change can be removed")
    func removable() {
        let text = schema("Int", accepted("type-changed", "a", "first"))
        let found = changes(from: text, to: text)
        #expect(found.changes == [])
        #expect(found.unusedAcceptances.map(\.isOfEarlierChange) == [true])
        #expect(
            found.unusedAcceptances.map(\.message) == [
                "the accepted 'type-changed' of 'a' is an earlier change, which the old schema has too"
            ]
        )
    }

    @Test("An acceptance in an included file counts, wherever the change is")
    func included() {
        let found = comparison(
            from: [("A.preferences.json", file(#""keys": { "a": { "type": "Int?" } }"#))],
            to: [
                (
                    "A.preferences.json",
                    file(#""includes": ["B.preferences-include.json"], "keys": { "a": { "type": "String?" } }"#)
                ),
                (
                    "B.preferences-include.json",
                    file(
                        #""acceptedChanges": [\#(accepted("type-changed", "a", "x"))], "keys": { "b": { "type": "Int?" } }"#
                    )
                ),
            ]
        )
        #expect(found.changes.map(\.acceptedReason) == ["x"])
    }
}
