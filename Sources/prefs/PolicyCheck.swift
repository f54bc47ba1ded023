import PreferencesCatalogue
import PreferencesJSON
import PreferencesRuntime

/// A check of the policies of administrators against the schema: whether they have an effect on each key that they name.
struct PolicyCheck {
    let catalogue: PreferenceCatalogue

    private static let unmanageableKey = "its key is not \"managed\" in the schema"

    /// Returns the problems of the files of a policy, of the names in it that are not keys which it can fix, and of locks
    /// without such a key.
    ///
    /// Names that the schema does not have are those of `unrecognizedNames`.
    ///
    /// - Parameter permitsUnknownNames: Whether locks of names that the schema does not have are no problem.
    func problems(of policy: ManagedStore, permitsUnknownNames: Bool) -> [PreferenceProblem] {
        let names = ((try? policy.namesFixedByValue()) ?? []).sorted()
        var suggestions = Suggestions()
        return policy.problemsOfFiles + names.compactMap { problem(ofValue: $0, in: policy) }
            + policy.locks.compactMap { problem(of: $0, permitsUnknownNames: permitsUnknownNames, &suggestions) }
    }

    private func problem(ofValue name: String, in policy: ManagedStore) -> PreferenceProblem? {
        let keys = keys { $0 == name }
        if keys.isEmpty || keys.contains(where: { $0.isManageable || $0.isSecret }) { return nil }
        return .unmanageable(name, Self.unmanageableKey, in: policy.source(of: name)?.description ?? policy.label)
    }

    private func problem(
        of lock: ManagedStore.Lock,
        permitsUnknownNames: Bool,
        _ suggestions: inout Suggestions
    ) -> PreferenceProblem? {
        let keys = keys(lock.applies)
        if keys.contains(where: \.isManageable) { return nil }
        guard keys.isEmpty else {
            let fault =
                lock.isPrefix
                ? "no key that it stands for is \"managed\" in the schema"
                : keys.contains(where: \.isSecret)
                    ? "its key is a secret, and secrets are never fixed" : Self.unmanageableKey
            return .unmanageable(lock.name, fault, in: lock.list)
        }
        if permitsUnknownNames { return nil }
        let fault = lock.isPrefix ? "the schema has no key with this prefix" : "the schema has no such key"
        let prefixes = prefixes
        let names = catalogue.filter { !$0.isSecret }.map(\.storageName) + (lock.isPrefix ? prefixes : [])
        let nearest =
            prefixes.first { $0 == "\(lock.name):" } ?? suggestions.nearest(to: lock.name, among: Set(names).sorted())
        let advice = nearest.map { "did you mean '\($0)'?" } ?? "remove it, or correct it"
        return PreferenceProblem(.unrecognizedName, key: lock.name, store: lock.list, message: "\(fault); \(advice)")
    }

    /// The storage names of namespaces, each with a colon at its end.
    private var prefixes: [String] {
        catalogue.flatMap { key in
            key.storageName.indices.filter { key.storageName[$0] == ":" }.map { String(key.storageName[...$0]) }
        }
    }

    /// Returns the keys with a present or former name that meets a condition.
    private func keys(_ condition: (String) -> Bool) -> [PreferenceKeyDescription] {
        catalogue.filter { ([$0.storageName] + $0.formerNames).contains(where: condition) }
    }
}

extension PreferenceProblem.Code {
    /// A policy names a key that an administrator cannot fix.
    static let unmanageable = Self(rawValue: "unmanageable")
}

extension PreferenceProblem {
    fileprivate static func unmanageable(_ name: String, _ fault: String, in store: String) -> PreferenceProblem {
        PreferenceProblem(
            .unmanageable,
            key: name,
            store: store,
            message: "\(fault), so that it has no effect; remove it"
        )
    }
}
