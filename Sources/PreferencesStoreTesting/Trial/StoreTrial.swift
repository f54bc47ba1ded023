import PreferencesRuntime

/// One run of a check: a store over a fresh medium, and what is expected of it.
struct StoreTrial: Sendable {
    let subject: StoreSubject
    /// The store under test.
    let store: NotedStore
    private let errors: ThrownErrors

    /// - Parameter errors: Where is noted what calls throw.
    init(_ subject: StoreSubject, noting errors: ThrownErrors) throws {
        self.subject = subject.noting(errors)
        self.errors = errors
        store = NotedStore(try self.subject.open(), errors)
        let names = isUnsupported(.listing) ? [] : try store.names()
        guard names.isEmpty else {
            let found = names.sorted().map(\.quoted).joined(separator: ", ")
            throw BrokenPromise(
                "expected a medium that nothing is kept in, found \(found); make a new one for each run"
            )
        }
    }

    func isUnsupported(_ capability: PreferenceStoreCapabilities) -> Bool {
        !store.supports(capability)
    }

    /// Another store over the same medium.
    func opened() throws -> NotedStore {
        NotedStore(try subject.open(), errors)
    }

    /// Another store over the same medium, once everything is durable.
    func reopened() throws -> NotedStore {
        try store.flush()
        let other = try opened()
        guard (other.base as AnyObject) !== (store.base as AnyObject) else {
            throw BrokenPromise("the StoreSubject's 'open' gives the same store again; have it make another each time")
        }
        return other
    }

    /// Has values changed: through the store or, where that lacks writing, at its medium.
    ///
    /// - Returns: A store that has them.
    func change(_ batch: [String: PreferenceEdit]) throws -> NotedStore {
        guard isUnsupported(.writing) else {
            try store.apply(PreferenceBatch(batch))
            return store
        }
        try expectUnwritable(batch)
        try changeFromOutside(batch)
        return try opened()
    }

    /// Has values changed at the medium, by nobody that the store knows.
    func changeFromOutside(_ batch: [String: PreferenceEdit]) throws {
        guard let change = subject.changeFromOutside else {
            let reason = isUnsupported(.writing) ? "lacks .writing" : "tells all changes and does not lack .persistence"
            throw BrokenPromise(
                "the store \(reason); give its StoreSubject 'changeFromOutside', which edits its medium"
            )
        }
        try change(batch)
    }
}
