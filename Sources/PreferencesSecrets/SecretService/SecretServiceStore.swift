#if !canImport(Security)
    public import PreferencesRuntime

    /// A store in the desktop's keyring: GNOME Keyring, KWallet, KeePassXC or another program that provides the Secret
    /// Service of freedesktop.org.
    ///
    /// ```swift
    /// let secrets = SecretServiceStore()   // of the service that is the program's name
    /// let preferences = Preferences(store: FileStore.default, secrets: secrets)
    /// ```
    ///
    /// A key that is set is an item with the attributes `service`, which is that of the store, and `account`, the key's
    /// storage name. Text is stored as it is, so that other programs read and write the same items:
    ///
    /// ```sh
    /// secret-tool lookup service weather account radar:token
    /// secret-tool store --label='Radar' service weather account radar:token
    /// ```
    ///
    /// Data is stored as base64 and other values as JSON, with one more attribute: `encoding base64`, `encoding json`.
    /// Without this attribute, what other programs have stored is text, which does not fit keys of other types.
    ///
    /// A call waits for the service, or for the user who is asked to unlock the collection, at most as long as
    /// ``SecretServiceOptions/timeout``. It then throws `storeBusy` or
    /// ``PreferencesRuntime/PreferenceProblem/Code/keychainLocked``; the prompt stays open, and observers are notified when
    /// the user has answered it. Without libsecret, a bus or a service, it throws
    /// ``PreferencesRuntime/PreferenceProblem/Code/keyringUnavailable``.
    ///
    /// Observers are notified of changes by all programs, and when the collection is locked or unlocked. While it is
    /// locked, `Preferences` continue with the values that they have read. Updates exclude other stores and processes that
    /// use this package. The Secret Service has no transactions: if an item of a batch fails, the items before it are
    /// restored, and a process that is killed midway leaves a partial batch.
    public struct SecretServiceStore: PreferenceStoreAdapter {
        /// The underlying store.
        public let base: any PreferenceStore

        /// Creates a store. The first read or write connects to the session bus.
        ///
        /// - Parameters:
        ///   - service: The attribute `service` of the items; by default, the program's name.
        ///   - options: The location of the items, and the behavior when they are locked.
        public init(service: String? = nil, options: SecretServiceOptions = SecretServiceOptions()) {
            self.init(service: service, options: options, connection: .session)
        }

        init(service: String?, options: SecretServiceOptions, connection: SecretServiceConnection) {
            base = SecretServiceItems(
                connection,
                service: service ?? KeychainItems.defaultService,
                options: options
            )
        }
    }
#endif
