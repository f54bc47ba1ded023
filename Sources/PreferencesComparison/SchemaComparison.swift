package import PreferencesSchema

/// The effects of a change of a module's schemas on users of the previous version.
///
/// The module is compared as a whole: keys can move from one file to another. An accessor that both versions have is the
/// same key. A key whose accessor is gone is followed by its storage name, then by the `renamedFrom` of the new keys.
package struct SchemaComparison: Sendable {
    /// The changes that break a rule, accepted or not, sorted by path and position.
    package let changes: [SchemaChange]
    /// The entries of the new schemas' `acceptedChanges` that accept none of these changes, in the same order.
    package let unusedAcceptances: [UnusedAcceptance]

    /// Compares the schemas of a module.
    ///
    /// - Parameters:
    ///   - old: The schemas of the previous version, without errors.
    ///   - new: The present schemas, without errors.
    package init(from old: SchemaSet, to new: SchemaSet) {
        var comparer = Comparer(from: old, to: new)
        comparer.compare()
        let acceptances = Acceptances(old: old, new: new)
        changes = comparer.changes.map(acceptances.accepting).sorted {
            ($0.path, $0.position, $0.rule.rawValue, $0.subject, $0.message)
                < ($1.path, $1.position, $1.rule.rawValue, $1.subject, $1.message)
        }
        unusedAcceptances = acceptances.unused(by: comparer.changes, comparer.new.places).sorted {
            ($0.path, $0.position, $0.rule.rawValue, $0.subject) < ($1.path, $1.position, $1.rule.rawValue, $1.subject)
        }
    }
}

/// The changes that the new schemas accept.
private struct Acceptances {
    private struct Target: Hashable {
        var rule: ChangeRule
        var subject: String
    }

    private struct Identity: Hashable {
        var target: Target
        var reason: String

        init(_ change: AcceptedChange) {
            target = Target(rule: change.rule, subject: change.subject)
            reason = change.reason
        }
    }

    private let all: [AcceptedChange]
    /// Those that the old schemas have too.
    private let earlier: Set<Identity>
    /// The reasons of the others.
    private let reasons: [Target: String]

    init(old: SchemaSet, new: SchemaSet) {
        let earlier = Set(old.acceptedChanges.map(Identity.init))
        all = new.acceptedChanges
        self.earlier = earlier
        let current = new.acceptedChanges.map(Identity.init).filter { !earlier.contains($0) }
        reasons = Dictionary(current.map { ($0.target, $0.reason) }) { first, _ in first }
    }

    /// Returns a change with the reason for which it is accepted, if it is.
    func accepting(_ change: SchemaChange) -> SchemaChange {
        var change = change
        change.acceptedReason = reasons[Target(rule: change.rule, subject: change.subject)]
        return change
    }

    func unused(by changes: [SchemaChange], _ places: SourcePlaces) -> [UnusedAcceptance] {
        let targets = Set(changes.map { Target(rule: $0.rule, subject: $0.subject) })
        return all.compactMap { acceptance in
            let identity = Identity(acceptance)
            let isEarlier = earlier.contains(identity)
            let isFound = targets.contains(identity.target)
            if isFound, !isEarlier { return nil }
            let (path, position) = places.position(of: acceptance.place)
            let message =
                if !isEarlier {
                    "no change breaks '\(acceptance.rule.rawValue)' with the subject '\(acceptance.subject)'"
                } else if isFound, reasons[identity.target] == nil {
                    "the old schema accepts '\(acceptance.rule.rawValue)' of '\(acceptance.subject)' for the same "
                        + "reason, so that this does not accept another such change"
                } else {
                    "the accepted '\(acceptance.rule.rawValue)' of '\(acceptance.subject)' is an earlier change, which "
                        + "the old schema has too"
                }
            return UnusedAcceptance(
                rule: acceptance.rule,
                subject: acceptance.subject,
                reason: acceptance.reason,
                isOfEarlierChange: isEarlier,
                path: path,
                position: position,
                message: Diagnostic.text(message),
                fix: isFound && isEarlier && reasons[identity.target] == nil
                    ? "give the new change a reason of its own" : "remove it from 'acceptedChanges'"
            )
        }
    }
}
