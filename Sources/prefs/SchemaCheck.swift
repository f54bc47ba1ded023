import PreferencesCatalogue
import PreferencesRuntime

/// A check of all values against the schema.
struct SchemaCheck {
    let preferences: Preferences
    /// The stores of the preferences, except that of secrets.
    let layers: [any PreferenceStore]
    let catalogue: PreferenceCatalogue
    /// Whether the store of secrets can be read, if there is one.
    var readsSecrets = true

    /// Returns the problems of all values that can be read.
    ///
    /// - Parameter permitsUnknownNames: Whether names that the schema does not have are no problem.
    /// - Throws: The problem of a store whose names cannot be read.
    func problems(permitsUnknownNames: Bool = false) throws -> [PreferenceProblem] {
        let readable = catalogue.filter { !$0.isSecret || readsSecrets && preferences.secrets != nil }
        var problems = preferences.validate(PreferenceCatalogue(readable))
        // The names of a store that cannot be read are unknown, and its problem is already among them.
        let isReadable = !problems.contains { $0.code == .storeUnreadable || $0.code == .storeMalformed }
        if !permitsUnknownNames, isReadable {
            problems += try preferences.unrecognizedNames(ofSchema: catalogue)
        }
        let policies = layers.compactMap { $0 as? ManagedStore }
        let check = PolicyCheck(catalogue: catalogue)
        problems += policies.flatMap { check.problems(of: $0, permitsUnknownNames: permitsUnknownNames) }
        return problems + shadowedProblems(besides: problems) + exposures
    }

    /// The problems of values of single layers, which are read if the value that shadows them is removed.
    private func shadowedProblems(besides found: [PreferenceProblem]) -> [PreferenceProblem] {
        let single = layers.flatMap { ($0 as? LayeredStore)?.layers ?? [$0] }
        if single.count < 2 { return [] }
        var seen = Set(found.map { [$0.code.rawValue, $0.key, $0.store] })
        let ordinary = PreferenceCatalogue(catalogue.filter { !$0.isSecret })
        // A value of a policy is used, or has no effect at all.
        return single.filter { !($0 is ManagedStore) }
            .flatMap { Preferences(store: $0, secrets: nil).validate(ordinary) }
            .filter { seen.insert([$0.code.rawValue, $0.key, $0.store]).inserted }
            .map {
                let message = "\($0.reason); the value of another layer is used"
                return PreferenceProblem($0.code, key: $0.key, store: $0.store, message: message)
            }
    }

    /// The problems of secrets outside the store of secrets, where no program looks for them.
    private var exposures: [PreferenceProblem] {
        let secrets = catalogue.filter(\.isSecret)
        return layers.filter { !$0.isKeyring && $0.label != preferences.secrets?.label }.flatMap { layer in
            secrets.compactMap { key -> PreferenceProblem? in
                guard (try? layer.value(for: key.storageName)) ?? nil != nil else { return nil }
                let source = (try? layer.origin(of: key.storageName)) ?? nil
                let message =
                    layer is ManagedStore
                    ? "its value is a secret in a policy, which all users can read, and secrets are never fixed; remove "
                        + "it"
                    : "its value is a secret in the ordinary store, where other programs can read it; set it in the store "
                        + "of '--secrets', and remove it here"
                return PreferenceProblem(
                    .secretsExposed,
                    key: key.storageName,
                    store: source?.description ?? layer.label,
                    message: message
                )
            }
        }
    }
}
