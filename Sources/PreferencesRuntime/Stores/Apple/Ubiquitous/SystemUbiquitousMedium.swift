#if canImport(Darwin)
    import Foundation

    /// The key-value store of this app.
    struct SystemUbiquitousMedium: UbiquitousMedium, @unchecked Sendable {  // Used with a lock held, by the store.
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
