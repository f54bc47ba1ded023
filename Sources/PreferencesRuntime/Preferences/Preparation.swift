import Synchronization

/// What is done before the first value is read or written: the migrations, and the beginning of the stores' observation.
final class Preparation: Sendable {
    private let isDone = Atomic<Bool>(false)
    private let lock = RecursiveLock()
    private let migrations: [PreferenceMigration]
    private let observations = Locked<[PreferenceStoreObservation]>([])

    init(_ migrations: [PreferenceMigration]) {
        self.migrations = migrations
    }

    /// Does it, if nobody has yet. Other threads wait until it is done.
    func run(for preferences: Preferences) {
        // Pairs with the store below: whoever sees that it is done sees what it did.
        guard !isDone.load(ordering: .acquiring) else { return }
        lock.withLock {
            guard !isDone.load(ordering: .relaxed), observations.withLock({ $0.isEmpty }) else { return }
            // Before anything is read, so that no change is missed.
            let observations = Self.observe(preferences)
            self.observations.withLock { $0 = observations }
            preferences.migrate(migrations)
            isDone.store(true, ordering: .releasing)
        }
    }

    private static func observe(_ preferences: Preferences) -> [PreferenceStoreObservation] {
        let main = preferences.store.observe { [weak preferences] change in
            preferences?.noteOutsideChange(change, isAmongSecrets: false)
        }
        let secrets = preferences.secrets?.observe { [weak preferences] change in
            preferences?.noteOutsideChange(change, isAmongSecrets: true)
        }
        return [main] + (secrets.map { [$0] } ?? [])
    }
}

extension Preferences {
    /// To be called before anything is read or written.
    func prepare() {
        preparation.run(for: self)
    }
}
