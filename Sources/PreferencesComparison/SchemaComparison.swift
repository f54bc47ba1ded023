package import PreferencesSchema

/// What a change of a module's schemas does to the users of the previous version.
package struct SchemaComparison: Sendable {
    /// The changes that break a rule, accepted or not, sorted by path and position.
    package let changes: [SchemaChange]
    /// The entries of the new schemas' `acceptedChanges` that accept none of these changes, in the same order.
    package let unusedAcceptances: [UnusedAcceptance]

    /// Compares the schemas of a module. Neither may have errors, but no others are harmful.
    package init(from old: SchemaSet, to new: SchemaSet) {
        changes = []
        unusedAcceptances = []
    }
}
