public import PreferencesRuntime

extension PreferenceProblem.Code {
    /// There is no keyring: libsecret, the session bus or the Secret Service is missing. The message says what to install
    /// or to start.
    public static let keyringUnavailable = PreferenceProblem.Code(rawValue: "keyringUnavailable")
}

#if !canImport(Security)
    extension PreferenceProblem {
        /// Creates the problem of a failed call of the Secret Service.
        ///
        /// - Parameters:
        ///   - failure: The failure.
        ///   - isReading: Whether the call only reads.
        ///   - name: The storage name; nil for all items.
        ///   - store: The store's label.
        ///   - options: The store's options.
        ///   - limit: The limit of the call.
        init(
            _ failure: SecretServiceFailure,
            isReading: Bool,
            name: String?,
            store: String,
            _ options: SecretServiceOptions,
            _ limit: TimeLimit? = nil
        ) {
            let operation = isReading ? "the keyring cannot be read" : "the keyring was not changed"
            let advice = isReading ? ": try again, or start it again if it hangs" : "; it may still make the change"
            let duration = limit?.duration ?? options.timeout
            let wait = failure.kind == .timedOut ? " within \(duration)\(advice)" : ""
            let cause = Self(
                Self.code(of: failure.kind) ?? (isReading ? .storeUnreadable : .storeUnwritable),
                // A problem without a key concerns all values: those that were read before stay in use.
                key: Self.isOfItem(failure.kind) ? name : nil,
                store: store,
                message: "\(operation): \(failure.message)\(wait)",
                isMessagePublic: failure.kind != .refused
            )
            if let consequence = Self.advice(on: failure.kind, isReading: isReading, options) {
                // The command `prefs` has advice of its own.
                self.init(cause, key: cause.key, consequence: consequence, isMessagePublic: true)
            } else {
                self = cause
            }
        }

        private static func code(of kind: SecretServiceFailure.Kind) -> Code? {
            switch kind {
            case .unavailable, .disconnected: .keyringUnavailable
            case .locked, .unanswered: .keychainLocked
            case .dismissed: .authenticationCancelled
            case .timedOut, .hanging: .storeBusy
            case .missing, .refused, .other: nil
            }
        }

        static func isOfItem(_ kind: SecretServiceFailure.Kind) -> Bool {
            [.missing, .refused, .other].contains(kind)
        }

        private static func advice(
            on kind: SecretServiceFailure.Kind,
            isReading: Bool,
            _ options: SecretServiceOptions
        ) -> String? {
            switch kind {
            case .unavailable: "or configure an EncryptedStore with 'Preferences(store:secrets:)'"
            case .disconnected: "the service has ended: start it again, such as by logging in again"
            case .locked where options.unlocking == .fail:
                "unlock it, such as by logging in again, or use the option 'unlocking: .prompt'"
            case .locked: "unlock it, such as by logging in again"
            case .unanswered: "observers are notified when it is unlocked"
            case .dismissed: isReading ? "it is shown again after 'reload()', or when a value is set" : "try again"
            case .hanging: "try again, or start it again if it hangs"
            case .timedOut, .missing, .refused, .other: nil
            }
        }
    }
#endif
