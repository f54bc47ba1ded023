import PreferencesSchema

/// Compares the machines that share the values of keys, and how their concurrent changes are merged.
extension Comparer {
    mutating func compareSharing() {
        var reported: [ScopeChange: Set<NamespacePath>] = [:]
        for index in old.keys.indices {
            guard let successor = successors[index] else { continue }
            let (before, now) = (old.keys[index].key, new.keys[successor].key)
            if before.scope != now.scope {
                reportScope(index, successor, &reported[ScopeChange(old: before.scope, new: now.scope), default: []])
            }
            if before.scope != .machine, now.scope != .machine, before.mergeRule != now.mergeRule {
                reportMergeRule(index, successor)
            }
        }
    }

    private struct ScopeChange: Hashable {
        var old, new: KeyScope
    }

    /// - Parameter reported: The new namespaces of which the same change of all keys was reported.
    private mutating func reportScope(_ oldKey: Int, _ newKey: Int, _ reported: inout Set<NamespacePath>) {
        guard let owner = owner(ofChanged: \.scope, inherited: \.scope, of: oldKey, newKey, &reported) else { return }
        let (before, now) = (old.keys[oldKey].key, new.keys[newKey].key)
        let isShared = before.scope != .machine
        report(
            isShared ? .sharingChanged : .sharingAdded,
            owner.isNamespace ? owner.path : subject(ofKey: oldKey, newKey),
            at: new.places.place(of: ["scope"], in: owner.name.place),
            "the scope of \(owner.isNamespace ? owner.keys : description(ofKey: oldKey, newKey)) "
                + "was '\(before.scope.rawValue)', and is now '\(now.scope.rawValue)': "
                + (isShared
                    ? "the value that machines have shared is no longer read"
                    : "all machines get the value of one of them"),
            old: [owner.oldKey],
            fix: isShared && now.isSecret
                ? "give the secret a key of its own"
                : #"add "scope": "\#(before.scope.rawValue)" to \#(owner.description)"#
                    + (isShared ? "" : ", or tell users")
        )
    }

    private mutating func reportMergeRule(_ oldKey: Int, _ newKey: Int) {
        let (before, now) = (old.keys[oldKey].key.mergeRule, new.keys[newKey].key.mergeRule)
        report(
            .mergeChanged,
            subject(ofKey: oldKey, newKey),
            at: new.place(of: "merge", in: newKey),
            "the merge rule of \(description(ofKey: oldKey, newKey)) was '\(before.rawValue)', and is now "
                + "'\(now.rawValue)': machines with the former version still merge by the former rule",
            old: [(old.place(of: "merge", in: oldKey), "the key is here in the old schema")],
            fix: #"add "merge": "\#(before.rawValue)" to key '\#(new.keys[newKey].path)'"#
        )
    }
}
