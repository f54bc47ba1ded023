public import PreferencesRuntime

// Forms with a leading dot, where a store is expected:
// `Preferences(store: .userDefaults, secrets: .keychain)`.

#if canImport(Security)
    extension PreferenceStore where Self == KeychainStore {
        /// A store in the keychain, of the default service.
        public static var keychain: KeychainStore { KeychainStore() }

        /// A store in the keychain: ``KeychainStore/init(service:options:)``.
        public static func keychain(service: String, options: KeychainOptions = KeychainOptions()) -> KeychainStore {
            KeychainStore(service: service, options: options)
        }
    }
#endif

#if !canImport(Security)
    extension PreferenceStore where Self == SecretServiceStore {
        /// A store in the desktop's keyring, of the default service.
        public static var secretService: SecretServiceStore { SecretServiceStore() }

        /// A store in the desktop's keyring: ``SecretServiceStore/init(service:options:)``.
        public static func secretService(
            service: String,
            options: SecretServiceOptions = SecretServiceOptions()
        ) -> SecretServiceStore {
            SecretServiceStore(service: service, options: options)
        }
    }
#endif

extension PreferenceStore where Self == EncryptedStore {
    /// A store whose values are encrypted: ``EncryptedStore/init(_:key:)``.
    public static func encrypted(_ base: some PreferenceStore, key: EncryptionKey) -> EncryptedStore {
        EncryptedStore(base, key: key)
    }

    /// A store whose values are encrypted with a key in another store: ``EncryptedStore/init(_:keyIn:named:)``.
    public static func encrypted(
        _ base: some PreferenceStore,
        keyIn keyStore: some PreferenceStore,
        named name: String = EncryptionKey.defaultName
    ) -> EncryptedStore {
        EncryptedStore(base, keyIn: keyStore, named: name)
    }
}
