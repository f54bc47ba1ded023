public import PreferencesRuntime

#if canImport(Darwin)
    /// A store in iCloud's key-value store, `NSUbiquitousKeyValueStore`, which the devices of a user share.
    ///
    /// ```swift
    /// let preferences = Preferences(store: UbiquitousStore())
    /// ```
    ///
    /// The app needs the entitlement for iCloud's key-value storage. Without it, no value is saved, which ``flush()``
    /// and ``reload()`` report. Without an account, values stay on the device until there is one.
    ///
    /// iCloud accepts at most 1,024 names of at most 64 bytes, and 1 MB of values in total. A batch that certainly
    /// exceeds these limits is refused. If iCloud drops values later, ``/PreferencesRuntime/Preferences/problems``
    /// reports ``/PreferencesRuntime/PreferenceProblem/Code/quotaExceeded``. Values that property lists cannot
    /// represent are stored as ``/PreferencesRuntime/FileStore`` stores them.
    ///
    /// Watchers observe the changes of other devices, and the arrival of another account's values, when the system
    /// reports them, with the reason as the change's ``/PreferencesRuntime/PreferenceChange/origin``; ``changes``
    /// delivers every reason. The system does not report changes that code of this program makes through
    /// `NSUbiquitousKeyValueStore` itself: call ``reload()`` after these. Updates exclude other threads of this program,
    /// but not other devices: if two devices change the same name, the later change wins.
    ///
    /// All stores of this type share their values and observers.
    public struct UbiquitousStore: PreferenceStoreAdapter {
        private static let shared = UbiquitousKeyValues(SystemUbiquitousBackend())

        /// The store of the values.
        public var base: any PreferenceStore { Self.shared }

        /// Creates a store. The first one requests the values of other devices from the system.
        public init() {}

        /// A new stream of the later changes that this program did not make, with their reasons.
        ///
        /// Each stream has all changes. A stream that is not read keeps the latest 1,000.
        public var changes: AsyncStream<UbiquitousChange> { Self.shared.streams.stream() }
    }
#endif

/// A change of the values in iCloud's key-value store that this program did not make.
public struct UbiquitousChange: Sendable, Hashable {
    /// The reason of a change.
    public enum Reason: Int, Sendable, Hashable {
        /// Another device has changed values.
        case serverChange = 0
        /// The values of the account have arrived on this device for the first time.
        case initialSync = 1
        /// Values that were set on this device are not kept, because they exceed iCloud's limits for an app.
        case quotaViolation = 2
        /// The user has signed in or out: the values are those of another account, or none.
        case accountChange = 3
    }

    /// The reason; nil if iCloud has not reported it.
    public let reason: Reason?
    /// The names whose values have changed, or are not kept in the case of ``Reason/quotaViolation``; nil if any value
    /// may have changed.
    public let names: Set<String>?

    /// Creates a change.
    ///
    /// - Parameters:
    ///   - reason: The number that the system has reported; nil if there is none.
    ///   - names: The names that the system has reported.
    package init(reason: Int?, names: [String]?) {
        self.reason = reason.flatMap(Reason.init)
        // It is not documented which names are reported after a change of account, which an unknown reason could be
        // too.
        let isWhole = names?.isEmpty != false || self.reason == .accountChange || self.reason == nil
        self.names = isWhole ? nil : names.map(Set.init)
    }
}

#if canImport(Darwin)
    import Foundation

    /// The system's key-value store of this app.
    ///
    /// The conformance to `Sendable` is unchecked because `NSUbiquitousKeyValueStore` is not documented as thread-safe.
    /// ``UbiquitousKeyValues`` uses it with the lock of its access held, except to observe notifications.
    struct SystemUbiquitousBackend: UbiquitousBackend, @unchecked Sendable {
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

extension PreferenceChangeOrigin {
    /// Another device has changed the value.
    public static let iCloudServerChange = PreferenceChangeOrigin(rawValue: "iCloud.serverChange")
    /// The values of the account have arrived on this device for the first time.
    public static let iCloudInitialSync = PreferenceChangeOrigin(rawValue: "iCloud.initialSync")
    /// A value that was set on this device is not kept, because it exceeds iCloud's limits for an app.
    public static let iCloudQuotaViolation = PreferenceChangeOrigin(rawValue: "iCloud.quotaViolation")
    /// The user has signed in or out: the value is that of another account, or none.
    public static let iCloudAccountChange = PreferenceChangeOrigin(rawValue: "iCloud.accountChange")

    /// Creates the origin of a change in `UbiquitousStore`.
    ///
    /// ```swift
    /// preferences.watch(\.color) { change in
    ///     if change.origin == .iCloudAccountChange { print("These are the values of another account.") }
    /// }
    /// ```
    ///
    /// - Parameter reason: The reason that iCloud has reported.
    public init(_ reason: UbiquitousChange.Reason) {
        switch reason {
        case .serverChange: self = .iCloudServerChange
        case .initialSync: self = .iCloudInitialSync
        case .quotaViolation: self = .iCloudQuotaViolation
        case .accountChange: self = .iCloudAccountChange
        }
    }
}
