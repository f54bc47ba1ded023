package import Foundation
package import PreferencesRemote
package import PreferencesRuntime

// The accessors are generated from the schema beside this file.

/// The preferences of an app that follow its user from machine to machine, as the article Roaming describes them.
package struct RoamingExample: Sendable {
    package let preferences: Preferences
    package let roaming: RoamingStore

    /// Opens the preferences of one machine.
    ///
    /// - Parameters:
    ///   - folder: The folder of the machine's own values, and of the caches.
    ///   - endpoints: The members of etcd.
    ///   - user: The user, whose values are kept apart from those of other users.
    ///   - timeout: The time limit of calls of etcd.
    package init(in folder: URL, endpoints: [URL], user: String, timeout: Duration = EtcdStore.defaultTimeout) {
        let own = FileStore(url: folder.appending(component: "preferences.json"), durability: .immediate)
        let users = EtcdStore(
            endpoints: endpoints,
            prefix: "users/\(user)/reader",
            cache: folder.appending(component: "user-cache.json"),
            timeout: timeout
        )
        let fleet = EtcdStore(
            endpoints: endpoints,
            prefix: "fleet/reader",
            cache: folder.appending(component: "fleet-cache.json"),
            timeout: timeout
        )
        roaming = RoamingStore(local: own, shared: [.user: users, .fleet: fleet])
        // Keys without a value read as the defaults of the schema.
        preferences = Preferences(store: LayeredStore([roaming]))
    }

    /// Asks the user for the city if several machines have set different ones.
    ///
    /// - Parameter choose: Returns the choice of the user.
    /// - Returns: Whether there was a conflict.
    package func resolveCity(_ choose: (RoamingStore.KeyConflict<String>) -> String) throws -> Bool {
        guard let conflict = try roaming.conflict(of: \.reader.city) else { return false }
        try roaming.resolve(\.reader.city, with: choose(conflict))
        return true
    }
}
