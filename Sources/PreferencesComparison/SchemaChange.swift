package import PreferencesSchema

/// A change from one version of a module's schemas to the next that breaks a rule.
package struct SchemaChange: Hashable, Sendable {
    package var rule: ChangeRule
    /// What changes, by which `acceptedChanges` names it: a storage name, an accessor (`weather.scale`), or a declared type
    /// or a member of it (`Scale.kelvin`).
    package var subject: String
    /// The path of a file of the new schemas.
    package var path: String
    package var position: TextPosition
    /// What has changed, and what that does: one sentence without a full stop.
    package var message: String
    /// The place in the old schemas, and other related ones.
    package var notes: [Diagnostic.Note]
    /// What to write in the schema instead, as an imperative sentence without a full stop.
    package var fix: String
    /// The reason in the schema's `acceptedChanges`; nil for a change that is not accepted.
    package var acceptedReason: String?

    /// The member of `acceptedChanges` that accepts the change, without its reason.
    package var acceptance: String {
        #"{ "rule": \#(JSONText.quoted(rule.rawValue)), "subject": \#(JSONText.quoted(subject)), "reason": "…" }"#
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
    /// What is wrong with it: one sentence without a full stop.
    package var message: String
    /// What to do about it, as an imperative sentence without a full stop.
    package var fix: String
}
