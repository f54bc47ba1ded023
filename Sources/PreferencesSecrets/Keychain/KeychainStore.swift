#if canImport(Security)
    public import PreferencesRuntime

    /// Preferences in the keychain, as generic passwords.
    ///
    /// ```swift
    /// let secrets = KeychainStore(service: "com.example.weather")
    /// let preferences = Preferences(store: FileStore.default, secrets: secrets)
    /// ```
    ///
    /// A key's storage name is the account of its item. Texts are kept as they are, in UTF-8, and data too; other
    /// values are JSON. What other libraries have kept under the service is read as text where it is UTF-8, and else as
    /// data, and stays an item of theirs when it is set: it is updated in place. So a value whose change fails is what
    /// it was. Its `kSecAttrGeneric` becomes this library's, which says what kind of value it is: a library that looks for
    /// items by that, as SwiftKeychainWrapper does, no longer finds one that was set here.
    ///
    /// What fails throws a `PreferenceProblem` with the status and what the system says of it, such as
    /// ``PreferencesRuntime/PreferenceProblem/Code/keychainLocked``; nothing is there where the keychain has no item.
    /// The keychain knows no transactions: where an item of a batch fails, those before are put back, and a process
    /// that is killed in the middle leaves a batch half made. For that a batch reads the items that it changes, and a
    /// person may be asked for them, where the options say so. Nor does it tell of changes: each read asks it, and
    /// watchers hear of what is set through this store, and of others after ``reload()``.
    public struct KeychainStore: PreferenceStoreAdapter {
        /// What the values are in.
        public let base: any PreferenceStore

        /// Always true.
        public var excludesWriters: Bool { true }

        /// Makes a store. Nothing is read or written yet.
        ///
        /// - Parameters:
        ///   - service: What the items are for, `kSecAttrService`: most programs have their bundle identifier here.
        ///   - options: Where in the keychain they are, and for whom.
        public init(service: String, options: KeychainOptions = KeychainOptions()) {
            base = KeychainItems(SystemKeychainMedium(), service: service, options: options)
        }
    }
#endif
