import PreferencesSystem

/// The store of the values of secret keys, or the reason that there is none.
package enum AvailableSecrets: Sendable {
    case store(any PreferenceStore)
    /// There is none. The reason continues the sentence `the key is secret, and`, and ends with what to do.
    case missing(reason: String)

    var store: (any PreferenceStore)? {
        if case .store(let store) = self { store } else { nil }
    }

    /// None was passed to the initializer.
    static let notPassed = AvailableSecrets.missing(
        reason: "these preferences have no store for secrets: create them with 'Preferences(store:secrets:)', and make "
            + "them 'Preferences.shared' by 'Preferences.bootstrap(_:)' when the program starts"
    )

    /// The program does not link PreferencesSecrets.
    fileprivate static let notLinked = AvailableSecrets.missing(
        reason: "these preferences have no store for secrets: add the product PreferencesSecrets to the target, whose "
            + "default is the system's store, or create them with 'Preferences(store:secrets:)', and make them "
            + "'Preferences.shared' by 'Preferences.bootstrap(_:)' when the program starts"
    )

    /// The system's store cannot be used.
    ///
    /// - Parameter cause: The cause, which continues the sentence `they have none, as`, and ends with what to do.
    package static func unavailable(_ cause: String) -> AvailableSecrets {
        .missing(
            reason: "these preferences have no store for secrets, as \(cause); or create them with "
                + "'Preferences(store:secrets:)' and an 'EncryptedStore', and make them 'Preferences.shared' by "
                + "'Preferences.bootstrap(_:)' when the program starts"
        )
    }

    /// Returns the default for preferences over a store: that of the system, except for values that do not outlive the
    /// process, and in tests, which must not change the secrets of a user.
    ///
    /// - Parameters:
    ///   - store: The main store.
    ///   - isTest: Whether the process runs tests.
    static func ofSystem(for store: any PreferenceStore, isTest: Bool) -> AvailableSecrets {
        let advice = "create them with 'Preferences.inMemory()' or 'Preferences(store:secrets:)'"
        if !store.supports(.persistence) {
            return .missing(
                reason: "these preferences, which are in memory, do not use the system's store for secrets: \(advice)"
            )
        }
        if isTest {
            return .missing(
                reason: "these preferences do not use the system's store for secrets, as this process runs tests: "
                    + advice
            )
        }
        return systemSecrets()
    }
}

/// Returns the system's store of secrets, the same one at each call, so that all preferences observe its changes.
///
/// PreferencesSecrets replaces this function in programs that link it, so that they need no configuration, and other
/// programs contain nothing of it.
package dynamic func systemSecrets() -> AvailableSecrets { .notLinked }

/// The origin of a store of secrets.
enum SecretsSource: Sendable {
    /// A store, or none, that was passed to an initializer.
    case explicit((any PreferenceStore)?)
    /// One that is looked up for the main store when a secret is first used.
    case lookedUp(@Sendable (_ main: any PreferenceStore) -> AvailableSecrets)

    static var system: SecretsSource { .lookedUp { .ofSystem(for: $0, isTest: TestProcess.isCurrent) } }
}

extension Preferences {
    /// The store of the values of secret keys; nil if there is none, and secret keys cannot be set.
    ///
    /// The system's store is looked up when a secret is first used, or this property is first read.
    public var secrets: (any PreferenceStore)? { availableSecrets.store }

    /// The store of secrets, which is found if it was not yet.
    var availableSecrets: AvailableSecrets {
        switch secretsSource {
        case .explicit(let store?): .store(store)
        case .explicit(nil): .notPassed
        case .lookedUp(let find): preparation.secrets(of: self, foundBy: find)
        }
    }

    /// The store of secrets if it has been found; nil before a secret is used.
    var secretsInUse: (any PreferenceStore)? {
        switch secretsSource {
        case .explicit(let store): store
        case .lookedUp: preparation.foundSecrets
        }
    }

    /// The secrets store, with redacted errors, which is found if it was not yet.
    var redactedSecrets: RedactingStore? { secrets.map(redacting) }

    /// The secrets store, with redacted errors, if it has been found.
    var redactedSecretsInUse: RedactingStore? { secretsInUse.map(redacting) }

    private func redacting(_ secrets: any PreferenceStore) -> RedactingStore {
        RedactingStore(secrets) { [weak self] name in
            self?.state.withLock { $0.secretRecords[name]?.isOwn ?? false } ?? false
        }
    }

    /// Returns the secrets store, with redacted errors.
    ///
    /// - Parameters:
    ///   - name: The secret key; nil if its name is not shown.
    ///   - consequence: The consequence if there is no store.
    /// - Throws: The problem of the key if there is no store.
    @discardableResult
    func requireSecrets(
        for name: String?,
        _ consequence: String
    ) throws(PreferenceProblem) -> RedactingStore {
        switch availableSecrets {
        case .store(let secrets): return redacting(secrets)
        case .missing(let reason):
            throw PreferenceProblem(
                .noSecretsStore,
                key: name,
                store: store.label,
                message: "the key is secret, and \(reason); \(consequence)"
            )
        }
    }
}

extension SecretsSource {
    /// Returns the source of the secrets of preferences over a part of others.
    ///
    /// - Parameter prefix: The prefix of the part's names.
    static func part(_ prefix: String, of whole: Preferences) -> SecretsSource {
        switch whole.secretsSource {
        case .explicit(let store): .explicit(store?.prefixed(prefix))
        case .lookedUp:
            .lookedUp { _ in
                let secrets = whole.availableSecrets
                return secrets.store.map { .store($0.prefixed(prefix)) } ?? secrets
            }
        }
    }
}
