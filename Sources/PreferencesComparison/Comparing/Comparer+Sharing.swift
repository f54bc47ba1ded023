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
        let (before, now) = (old.keys[oldKey], new.keys[newKey])
        let namespace = new.namespace(of: newKey)
        let isOfNamespace =
            !namespace.path.isEmpty && namespace.namespace.scope == now.key.scope
            && old.namespace(of: oldKey).namespace.scope == before.key.scope
        if isOfNamespace {
            guard reported.insert(namespace.namespacePath).inserted, !namespace.namespacePath.isInside(reported) else {
                return
            }
        }
        let isShared = before.key.scope != .machine
        let name = isOfNamespace ? namespace.namespace.path.last ?? now.key.name : now.key.name
        report(
            isShared ? .sharingChanged : .sharingAdded,
            isOfNamespace ? namespace.path : subject(ofKey: oldKey, newKey),
            at: new.places.place(of: ["scope"], in: name.place),
            "the scope of \(isOfNamespace ? "the keys of namespace '\(namespace.path)'" : description(ofKey: oldKey, newKey)) "
                + "was '\(before.key.scope.rawValue)', and is now '\(now.key.scope.rawValue)': "
                + (isShared
                    ? "the value that machines have shared is no longer read"
                    : "all machines get the value of one of them"),
            old: [(before.key.name.place, "key '\(before.path)' is here in the old schema")],
            fix: isShared && now.key.isSecret
                ? "give the secret a key of its own"
                : #"add "scope": "\#(before.key.scope.rawValue)" to "#
                    + (isOfNamespace ? "namespace '\(namespace.path)'" : "key '\(now.path)'")
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
