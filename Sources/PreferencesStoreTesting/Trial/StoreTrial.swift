import PreferencesRuntime

/// One run of a check: a store over an empty backend, and the shared expectations.
struct StoreTrial: Sendable {
    let subject: StoreSubject
    /// The store under test.
    let store: RecordingStore
    private let errors: ErrorLog

    /// - Parameter errors: The log of errors that calls throw.
    init(_ subject: StoreSubject, errors: ErrorLog) throws {
        self.subject = subject.recordingErrors(in: errors)
        self.errors = errors
        store = RecordingStore(try self.subject.open(), errors)
        let names = isUnsupported(.listing) ? [] : try store.names()
        guard names.isEmpty else {
            let found = names.sorted().map(\.quoted).joined(separator: ", ")
            throw ExpectationFailure(
                "expected an empty backend, found \(found); create a new one for each run"
            )
        }
    }

    func isUnsupported(_ capability: PreferenceStoreCapabilities) -> Bool {
        !store.supports(capability)
    }

    /// Returns another store over the backend.
    func opened() throws -> RecordingStore {
        RecordingStore(try subject.open(), errors)
    }

    /// Flushes the store, and returns another one over the backend.
    func reopened() throws -> RecordingStore {
        try store.flush()
        let other = try opened()
        guard (other.base as AnyObject) !== (store.base as AnyObject) else {
            throw ExpectationFailure(
                "the StoreSubject's 'open' returned the same store again; return a new one each time"
            )
        }
        return other
    }

    /// Applies a batch to the store or, if writing is unsupported, to its backend.
    ///
    /// - Returns: A store with the changes.
    func change(_ batch: [String: PreferenceEdit]) throws -> RecordingStore {
        guard isUnsupported(.writing) else {
            try store.apply(PreferenceBatch(batch))
            return store
        }
        try expectUnwritable(batch)
        try changeExternally(batch)
        return try opened()
    }

    /// Applies a batch to the backend as another process would.
    func changeExternally(_ batch: [String: PreferenceEdit]) throws {
        guard let change = subject.changeExternally else {
            let reason =
                isUnsupported(.writing) ? "cannot be written" : "is persistent and notifies of all changes"
            throw ExpectationFailure(
                "the store \(reason); pass 'changeExternally' to its StoreSubject, which edits the backend"
            )
        }
        try change(batch)
    }
}

extension StoreTrial {
    /// Checks the value of a name; nil for no value.
    ///
    /// - Parameters:
    ///   - store: The store to read. Default: the store under test.
    ///   - circumstance: When or where, for the message: `after reload()`.
    func expect(
        _ value: PreferenceValue?,
        under name: String,
        in store: (any PreferenceStore)? = nil,
        _ circumstance: String = ""
    ) throws {
        let found = try (store ?? self.store).value(for: name)
        guard found != value else { return }
        let place = circumstance.isEmpty ? "" : " \(circumstance)"
        throw ExpectationFailure("expected \(value.summary) under \(name.quoted)\(place), found \(found.summary)")
    }

    /// Checks that a store has exactly these values.
    func expect(
        exactly values: [String: PreferenceValue],
        in store: (any PreferenceStore)? = nil,
        _ circumstance: String = ""
    ) throws {
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            try expect(value, under: name, in: store, circumstance)
        }
        try expect(names: Set(values.keys), in: store, circumstance)
    }

    /// Checks the values of another store over the backend, unless persistence is unsupported.
    func expectInAnotherStore(exactly values: [String: PreferenceValue]) throws {
        if isUnsupported(.persistence) { return }
        try expect(exactly: values, in: reopened(), "in another store over the backend")
    }

    /// Checks the list of names, unless listing is unsupported.
    func expect(
        names expected: Set<String>,
        in store: (any PreferenceStore)? = nil,
        _ circumstance: String = ""
    ) throws {
        if isUnsupported(.listing) { return }
        let found = try (store ?? self.store).names()
        let faults = [
            ("does not list", expected.subtracting(found)), ("lists", found.subtracting(expected)),
        ]
        let summary = faults.filter { !$0.1.isEmpty }.map { verb, names in
            "\(verb) \(names.sorted().map(\.quoted).joined(separator: ", "))"
        }
        guard !summary.isEmpty else { return }
        let place = circumstance.isEmpty ? "" : " \(circumstance)"
        throw ExpectationFailure("names() \(summary.joined(separator: ", and "))\(place)")
    }

    /// Checks that a call throws a ``PreferenceProblem`` with a code.
    func expect(
        _ code: PreferenceProblem.Code,
        key: String? = nil,
        from call: String,
        because reason: String,
        _ body: () throws -> Void
    ) throws {
        let expected = "\(call) to throw a PreferenceProblem '\(code)'\(key.map { " with the key \($0.quoted)" } ?? "")"
        do {
            try body()
        } catch let problem as PreferenceProblem where problem.code == code && problem.key == key {
            return
        } catch {
            throw ExpectationFailure("expected \(expected), as \(reason), found \(error)")
        }
        throw ExpectationFailure("expected \(expected), as \(reason), but it threw nothing")
    }
}
