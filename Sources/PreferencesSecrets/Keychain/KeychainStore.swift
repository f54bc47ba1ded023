#if canImport(Security)
    public import PreferencesRuntime

    /// A store in the keychain, as generic passwords.
    ///
    /// ```swift
    /// let secrets = KeychainStore()   // of the service that is the bundle identifier
    /// let preferences = Preferences(store: FileStore.default, secrets: secrets)
    /// ```
    ///
    /// The account of an item is the key's storage name. Text is stored as UTF-8, data unchanged, and other values as
    /// JSON. Items of other libraries under the same service are read as text if they are valid UTF-8, and as data
    /// otherwise. Setting one updates it in place, so it keeps its old value if that fails. The update replaces its
    /// `kSecAttrGeneric` with this library's marker, so libraries that search by that attribute, such as
    /// SwiftKeychainWrapper, no longer find the item.
    ///
    /// A failed call throws a `PreferenceProblem`, such as
    /// ``PreferencesRuntime/PreferenceProblem/Code/keychainLocked``, with the system's message and the
    /// ``/PreferencesRuntime/PreferenceProblem/status``. A missing item is not an error. The keychain has
    /// no transactions: if an item of a batch fails, the items before it are restored, and a process that is killed
    /// midway leaves a partial batch. To be able to restore them, a batch reads the items that it changes, which may
    /// require authentication. The keychain does not report changes either: each read queries it. Observers are
    /// notified of changes through this store, and of external ones after ``reload()``.
    public struct KeychainStore: PreferenceStoreAdapter {
        /// The underlying store.
        public let base: any PreferenceStore

        /// Creates a store. The first read or write accesses the keychain.
        ///
        /// - Parameters:
        ///   - service: The service of the items, `kSecAttrService`. By default, the bundle identifier of the program, or
        ///     its name if it has none, as a command-line tool. Give it in an extension, which has an identifier of its
        ///     own, to use the items of its app.
        ///   - options: The location and protection of the items.
        public init(service: String? = nil, options: KeychainOptions = KeychainOptions()) {
            let service = service ?? KeychainItems.defaultService
            base = KeychainItems(SystemKeychainBackend(), service: service, options: options)
        }
    }
#endif
