#if !canImport(Security)
    /// The location of the items of a ``SecretServiceStore``, and its behavior when they are locked.
    public struct SecretServiceOptions: Sendable, Hashable {
        /// The behavior of a store when its collection is locked.
        public enum Unlocking: Sendable, Hashable {
            /// It asks the user to unlock it, by the prompt of the desktop. After the user has dismissed the prompt, reads
            /// do not ask again until `reload()`; writes do.
            case prompt
            /// It throws ``PreferencesRuntime/PreferenceProblem/Code/keychainLocked``.
            case fail
        }

        /// The collection of the items.
        public var collection: SecretServiceCollection
        /// The label of new items, which programs such as Seahorse show; nil for the service and the storage name:
        /// `weather: radar:token`.
        public var label: String?
        /// Attributes of new items besides those of the store, such as `["xdg:schema": "org.example.Token"]`. Other
        /// programs may find the items by them. They are not secret. Those of the store take precedence.
        public var attributes: [String: String]
        /// The behavior when the collection is locked.
        public var unlocking: Unlocking
        /// How long a call waits for the Secret Service or for the user; five seconds by default. A batch waits a
        /// fifth of a second longer for each further edit.
        public var timeout: Duration

        /// The default timeout: five seconds.
        public static let defaultTimeout: Duration = .seconds(5)

        /// Creates options.
        ///
        /// - Parameters:
        ///   - collection: The collection of the items; that of new passwords by default.
        ///   - label: The label of new items; nil, the default, for the service and the storage name.
        ///   - attributes: Attributes of new items besides those of the store; none by default.
        ///   - unlocking: The behavior when the collection is locked; ``Unlocking/prompt`` by default.
        ///   - timeout: How long a call waits; ``defaultTimeout`` by default.
        public init(
            collection: SecretServiceCollection = .default,
            label: String? = nil,
            attributes: [String: String] = [:],
            unlocking: Unlocking = .prompt,
            timeout: Duration = SecretServiceOptions.defaultTimeout
        ) {
            self.collection = collection
            self.label = label
            self.attributes = attributes
            self.unlocking = unlocking
            self.timeout = timeout
        }
    }

    /// A collection of the Secret Service: a set of items that are locked and unlocked together.
    public struct SecretServiceCollection: Sendable, Hashable {
        enum Kind: Hashable, Sendable {
            case alias(String)
            case label(String)
        }

        let kind: Kind

        /// The collection of new passwords, which most desktops unlock at login.
        public static let `default` = SecretServiceCollection(kind: .alias("default"))

        /// A collection in memory, which the service empties at the end of the session. KWallet has none.
        public static let session = SecretServiceCollection(kind: .alias("session"))

        /// The collection with a label, such as `Work`. The first value creates it, for which the service asks the user
        /// for a password, unless ``SecretServiceOptions/unlocking`` is `fail`.
        public static func named(_ label: String) -> SecretServiceCollection {
            SecretServiceCollection(kind: .label(label))
        }

        /// The label of the collection when it is created.
        var label: String {
            switch kind {
            case .alias: "Login"
            case .label(let label): label
            }
        }
    }
#endif
