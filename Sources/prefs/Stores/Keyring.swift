import PreferencesCommandLine
import PreferencesRuntime
import PreferencesSecrets
import Synchronization

/// The desktop's keyring, or the keychain, as commands use it.
struct Keyring {
    /// The app of the command line, whose service is the default one; nil if there is none.
    let app: String?
    /// Whether to ask the user to unlock it.
    let asksUser: Bool

    #if canImport(Security)
        /// The settings of its stores, as those of ``StoreLocation``.
        static let settings: [String: [String]] = [:]

        /// Opens the items of a service.
        func store(service: String, _ settings: [String: String] = [:]) -> any PreferenceStore {
            KeyringStore(base: KeychainStore(service: service), withoutAsking: nil)
        }
    #else
        /// The settings of its stores, as those of ``StoreLocation``. Any value is the label of a collection.
        static let settings: [String: [String]] = ["collection": []]

        /// Opens the items of a service.
        func store(service: String, _ settings: [String: String] = [:]) -> any PreferenceStore {
            let collection: SecretServiceCollection =
                switch settings["collection"] {
                case nil, "default": .default
                case "session": .session
                case let label?: .named(label)
                }
            var options = SecretServiceOptions(collection: collection, unlocking: .fail, timeout: .seconds(25))
            let withoutAsking = SecretServiceStore(service: service, options: options)
            guard asksUser else { return KeyringStore(base: withoutAsking, withoutAsking: nil) }
            options.unlocking = .prompt
            // The user needs time to type a password.
            options.timeout = .seconds(120)
            let base = SecretServiceStore(service: service, options: options)
            return KeyringStore(base: base, withoutAsking: withoutAsking)
        }
    #endif
}

/// A store in a keyring, which can be missing or locked.
private struct KeyringStore: PreferenceStoreAdapter {
    let base: any PreferenceStore
    /// The same items, if the base asks the user to unlock them, and this store does not.
    let withoutAsking: (any PreferenceStore)?

    /// The problem of a keyring that cannot be read. Reports that the user is asked to unlock it.
    var problem: PreferenceProblem? {
        guard let withoutAsking else { return Self.problem(of: base) }
        guard let problem = Self.problem(of: withoutAsking) else { return nil }
        // A service that does not answer is not called again, with a longer limit.
        guard problem.code == .keychainLocked else { return problem }
        Console.printError("waiting for the keyring to be unlocked")
        return Self.problem(of: base)
    }

    private static func problem(of store: any PreferenceStore) -> PreferenceProblem? {
        do {
            // Looking up one item, which need not exist, reads no secrets.
            _ = try store.origin(of: "::")
            return nil
        } catch {
            return store.problem(of: error)
        }
    }
}

extension PreferenceStore {
    /// Returns an error of a read as a problem.
    func problem(of error: any Error) -> PreferenceProblem {
        error as? PreferenceProblem ?? PreferenceProblem(.storeUnreadable, store: label, error: error)
    }

    /// Whether the store is in a keyring.
    var isKeyring: Bool { self is KeyringStore }

    /// The problem of a keyring that cannot be read; nil for one that can, and for any other store.
    var keyringProblem: PreferenceProblem? { (self as? KeyringStore)?.problem }
}

extension PreferenceProblem {
    /// The advice for a keyring that cannot be read without asking the user; empty if the reason contains it.
    var keyringAdvice: String {
        code == .keychainLocked ? "unlock it, such as by logging in again, or by 'prefs get' of a secret" : ""
    }

    /// The problem with the advice for users of a command in place of that for programs, if it is that of a keyring.
    var forUsers: PreferenceProblem {
        let codes: [Code] = [.keychainLocked, .authenticationCancelled, .keyringUnavailable]
        guard codes.contains(code) else { return self }
        let message = keyringAdvice.isEmpty ? reason : "\(reason); \(keyringAdvice)"
        return PreferenceProblem(code, key: key, store: store, message: message, isMessagePublic: isMessagePublic)
    }
}

/// The store of secrets of a command.
final class SecretStore: Sendable {
    let store: any PreferenceStore
    /// Whether it is the keyring of the app, and not a store that the command line names.
    let isDefault: Bool
    /// Whether the user is asked to unlock it.
    let asksUser: Bool
    private let access = Mutex(Access.unknown)

    /// Whether the keyring can be read.
    private enum Access {
        /// It was not used yet.
        case unknown
        case readable
        case refused(PreferenceProblem)
    }

    init(_ store: any PreferenceStore, isDefault: Bool, asksUser: Bool) {
        (self.store, self.isDefault, self.asksUser) = (store, isDefault, asksUser)
    }

    /// The problem of a keyring that cannot be read. The first use accesses the keyring, and may ask the user.
    var problem: PreferenceProblem? {
        switch access.withLock({ $0 }) {
        case .readable: return nil
        case .refused(let problem): return problem
        case .unknown:
            // Not with the lock held, because the user may be asked.
            let problem = store.keyringProblem
            access.withLock { $0 = problem.map(Access.refused) ?? .readable }
            return problem
        }
    }

    /// The reason why a keyring cannot be read, and what to do; nil if there is none.
    var reason: String? {
        guard let problem else { return nil }
        let advice = asksUser ? "" : problem.keyringAdvice
        return advice.isEmpty ? problem.reason : "\(problem.reason); \(advice)"
    }

    /// Whether there is no store of secrets, since the command line names none, and there is no keyring.
    var isMissing: Bool { isDefault && problem?.code == .keyringUnavailable }
}
