package import PreferencesSchema

/// A change from one version of a module's schemas to the next that breaks a rule.
package struct SchemaChange: Hashable, Sendable {
    package var rule: ChangeRule
    /// The subject, by which `acceptedChanges` names the change: a storage name, an accessor (`weather.scale`), or a
    /// declared type or a member of it (`Scale.kelvin`).
    package var subject: String
    /// The path of a file of the new schemas.
    package var path: String
    package var position: TextPosition
    /// The change and its effect: one sentence without a full stop.
    package var message: String
    /// The place in the old schemas, and other related ones.
    package var notes: [Diagnostic.Note]
    /// The fix, as an imperative sentence without a full stop.
    package var fix: String
    /// Whether the change is still reported after the fix, which is outside of the schema.
    package var remainsAfterFix: Bool
    /// The reason in the schema's `acceptedChanges`; nil for a change that is not accepted.
    package var acceptedReason: String?

    /// The member of `acceptedChanges` that accepts the change, without its reason.
    package var acceptance: String {
        #"{ "rule": \#(rule.rawValue.jsonLiteral), "subject": \#(subject.jsonLiteral), "reason": "…" }"#
    }

    /// How to accept the change, as an imperative sentence without a full stop.
    package var acceptanceAdvice: String {
        (remainsAfterFix ? "and then accept it: add " : "to accept it, add ") + acceptance + " to 'acceptedChanges'"
    }
}

extension String {
    /// The text as a JSON string without invisible characters.
    var jsonLiteral: String {
        let text = JSONText.quoted(self)
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
        return text.unicodeScalars.map { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator:
                String(scalar).utf16.map { unit in
                    let digits = String(unit, radix: 16)
                    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }.joined()
            default: String(scalar)
            }
        }.joined()
    }
}

/// An entry of `acceptedChanges` that accepts no change.
package struct UnusedAcceptance: Hashable, Sendable {
    package var rule: ChangeRule
    package var subject: String
    package var reason: String
    /// Whether the old schemas have it too, so that it accepted a change that was made before.
    package var isOfEarlierChange: Bool
    package var path: String
    package var position: TextPosition
    /// The fault: one sentence without a full stop.
    package var message: String
    /// The fix, as an imperative sentence without a full stop.
    package var fix: String
}
