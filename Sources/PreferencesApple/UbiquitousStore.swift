#if canImport(Darwin)
    public import PreferencesRuntime

    /// Preferences in iCloud, for all devices of a person: those of `NSUbiquitousKeyValueStore`.
    ///
    /// ```swift
    /// let preferences = Preferences(store: UbiquitousStore())
    /// ```
    ///
    /// The app requires the entitlement for iCloud's key-value storage. Without it nothing is saved, and ``flush()`` and
    /// ``reload()`` throw; without an account, values stay on the device until there is one. iCloud keeps at most 1,024
    /// names of 64 bytes, and 1 MB of values in total. A batch that certainly exceeds this is refused. Values that iCloud
    /// drops later are reported to ``/PreferencesRuntime/Preferences/problems`` as
    /// ``/PreferencesRuntime/PreferenceProblem/Code/quotaExceeded``. Values that property lists cannot represent are
    /// stored as ``/PreferencesRuntime/FileStore`` stores them.
    ///
    /// Watchers hear of what other devices change, and of the arrival of another account's values, when the system tells
    /// so; ``changes`` says why. It tells nothing of what code of this program sets by `NSUbiquitousKeyValueStore`
    /// itself: such code is to call ``reload()``. Threads of this program that use such stores wait for each other's
    /// updates; devices do not, and of two that change one name the later wins.
    ///
    /// All stores of this type are one.
    public struct UbiquitousStore: PreferenceStoreAdapter {
        private static let shared = UbiquitousKeyValues(SystemUbiquitousBackend())

        /// What the values are in.
        public var base: any PreferenceStore { Self.shared }

        /// Always true.
        public var excludesWriters: Bool { true }

        /// Makes a store. The first has the system fetch what other devices have set.
        public init() {}

        /// The changes that were not made by this program from now on, with their reasons.
        ///
        /// Each stream has all of them. One that is not read keeps the latest 1,000.
        public var changes: AsyncStream<UbiquitousChange> { Self.shared.streams.stream() }
    }
#endif

/// A change of the values in iCloud's key-value store that was not made by this program.
public struct UbiquitousChange: Sendable, Hashable {
    /// Why iCloud's key-value store has other values than before.
    public enum Reason: Int, Sendable, Hashable {
        /// Another device has changed values.
        case serverChange = 0
        /// The values of the account have arrived here for the first time.
        case initialSync = 1
        /// What was set here last is not kept, because it would take more than iCloud gives an app.
        case quotaViolation = 2
        /// Somebody has signed in or out: the values are those of another account, or none.
        case accountChange = 3
    }

    /// Why there are other values; nil where iCloud has not said so.
    public let reason: Reason?
    /// The names that have other values than before, or for ``Reason/quotaViolation`` those whose values
    /// are not kept; nil where it may be any.
    public let names: Set<String>?

    /// - Parameters:
    ///   - reason: The number that the system gave; nil where it gave none.
    ///   - names: The names that the system gave.
    package init(reason: Int?, names: [String]?) {
        self.reason = reason.flatMap(Reason.init)
        // It is not documented which names there are after a change of account, and so it is not for a reason that is not
        // known, which may be that one.
        let isWhole = names?.isEmpty != false || self.reason == .accountChange || self.reason == nil
        self.names = isWhole ? nil : names.map(Set.init)
    }
}

#if canImport(Darwin)
    import Foundation

    /// The key-value store of this app.
    struct SystemUbiquitousBackend: UbiquitousBackend, @unchecked Sendable {  // Used with a lock held, by the store.
        private let store = NSUbiquitousKeyValueStore.default

        func object(for name: String) -> Any? {
            store.object(forKey: name)
        }

        func set(_ object: Any, for name: String) {
            store.set(object, forKey: name)
        }

        func removeObject(for name: String) {
            store.removeObject(forKey: name)
        }

        var contents: [String: Any] { store.dictionaryRepresentation }

        func synchronize() -> Bool {
            store.synchronize()
        }

        func observe(_ handler: @escaping @Sendable (UbiquitousChange) -> Void) -> PreferenceStoreObservation {
            let observation = NotificationObservation(
                of: NSUbiquitousKeyValueStore.didChangeExternallyNotification,
                from: store
            ) { notification in
                let facts = notification.userInfo
                let reason = facts?[NSUbiquitousKeyValueStoreChangeReasonKey] as? Int
                let names = facts?[NSUbiquitousKeyValueStoreChangedKeysKey] as? [String]
                handler(UbiquitousChange(reason: reason, names: names))
            }
            return PreferenceStoreObservation { observation.end() }
        }
    }
#endif
