/// One value of a store.
struct StoreObjectRepository<Value: Codable & Sendable>: PersistentObjectRepository {
    private let store: any PreferenceStore
    private let entryName: String
    /// Whether the store has nothing else, so that problems need not name the entry.
    private let isAlone: Bool

    init(_ store: any PreferenceStore, _ name: String, isAlone: Bool = false) {
        self.store = store
        entryName = name
        self.isAlone = isAlone
    }

    var label: String { store.label }
    var name: String? { isAlone ? nil : entryName }

    func load() throws -> Value? {
        guard let stored = try store.value(for: entryName) else { return nil }
        do {
            return try store.read(stored, of: entryName, as: CodedValue<Value>.self).value
        } catch {
            throw PreferenceProblem(.typeMismatch, key: name, store: label, message: ErrorText(error).description)
        }
    }

    func save(_ value: Value?) throws {
        try save(value) {}
    }

    func save(_ value: Value?, afterLooking look: () throws -> Void) throws {
        let edit: PreferenceEdit = try value.map { .set(try CodedValue(value: $0).preferenceValue()) } ?? .remove
        // Unlike `apply`, this has written when it returns, and is what can be thrown for where it has not.
        try store.commit { _ in
            try look()
            return [entryName: edit]
        }
    }

    func synchronize() throws {
        try store.flush()
        try store.reload()
    }

    func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        store.observe { [entryName] change in
            switch change {
            case .names(let names): if names.contains(entryName) { observer(.everything) }
            case .everything, .unreadable, .problem: observer(change)
            }
        }
    }
}
