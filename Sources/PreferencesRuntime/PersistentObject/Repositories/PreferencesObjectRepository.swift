/// One key of preferences.
///
/// It is read from their store, as what they remember is what was there before while a change of theirs is being told.
struct PreferencesObjectRepository<Value: Codable & Sendable>: PersistentObjectRepository {
    private let preferences: Preferences
    private let entryName: String
    private let stored: StoreObjectRepository<Value>

    init(_ preferences: Preferences, _ name: String) {
        self.preferences = preferences
        entryName = name
        stored = StoreObjectRepository(preferences.store, name)
    }

    var label: String { stored.label }
    var name: String? { entryName }

    func load() throws -> Value? {
        preferences.prepare()
        return try stored.load()
    }

    func save(_ value: Value?) throws {
        try save(value) {}
    }

    func save(_ value: Value?, afterLooking look: () throws -> Void) throws {
        // Throws what the preferences would report, and has written when it returns.
        try preferences.transaction { preferences in
            try look()
            if let value {
                preferences.set(named: entryName, to: CodedValue(value: value))
            } else {
                preferences.reset(named: entryName)
            }
        }
    }

    func synchronize() throws {
        try preferences.flush()
        try preferences.reload()
    }

    func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        stored.observe { change in
            // The preferences report the store's problems.
            if change == .everything { observer(change) }
        }
    }
}

/// A repository that one thread may keep others from using.
protocol RepositoryOfWriters {
    /// - Throws: Where this thread does so just now.
    func checkThatItIsFree() throws
}

extension PreferencesObjectRepository: RepositoryOfWriters {
    func checkThatItIsFree() throws {
        guard preferences.isWriting else { return }
        let isTransaction = preferences.session.transaction(of: preferences) != nil
        let message =
            isTransaction
            ? "a transaction of these preferences is under way on this thread, and may yet change nothing"
            : "a hook of these preferences is being called on this thread, and others wait for its end"
        throw PreferenceProblem(.storeUnwritable, key: name, store: label, message: message)
    }
}
