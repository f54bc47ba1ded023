/// Changes that belong together.
extension Preferences {
    /// Makes all changes of a body, or none: one atomic batch, one durable write, and one notification for each key.
    ///
    /// ```swift
    /// try preferences.transaction { preferences in
    ///     preferences.weather.stations.append("Oslo")
    ///     preferences.weather.temperature = 3.5
    /// }
    /// ```
    ///
    /// The body reads what is in the store at its beginning, and its own changes. Others, on other threads and in other
    /// processes, see the changes when all are made. Nobody else changes anything in between: other threads wait, and so
    /// do other processes where the store can have them wait, as ``FileStore`` can. Use no other ``Preferences`` in
    /// the body than the ones that it is given, and keep it short.
    ///
    /// A body that throws changes nothing. So does one in which a property's setter refuses a value, or cannot store it,
    /// whatever is set afterwards; what ``PreferenceAccessors/set(_:to:)-(ReferenceWritableKeyPath<Self,Value>,_)``
    /// throws is for the body to catch or not. And so does one that has read a store which cannot be read just now: it was
    /// given what was there before, or defaults. A transaction inside of another one joins it: it is committed with that,
    /// but if it throws, only its own changes are undone.
    ///
    /// Secrets are in a store of their own, and one store's changes are atomic: should the main store fail after the
    /// secrets are committed, those stay.
    ///
    /// - Parameter body: Reads and sets keys of the preferences that it is given. It must not hand them to other threads:
    ///   what those do is not part of the transaction.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws; or ``PreferenceProblem`` where a value was refused or the store not be read or
    ///   written, and then nothing was changed, except with ``PreferenceProblem/Code/notDurable``.
    @inlinable
    public func transaction<Result>(_ body: (Preferences) throws -> Result) throws -> Result {
        // `runTransaction` is not generic over the result, because at run time the lookup of each type that depends on it costs
        // more than a set.
        var result: Result?
        try runTransaction { result = try body($0) }
        return result!
    }

    @usableFromInline
    func runTransaction(_ body: (Preferences) throws -> Void) throws {
        try withWriting {
            if let outer = session.active { try join(outer, body) } else { try commit(body) }
        }
    }

    private func join(_ outer: Transaction, _ body: (Preferences) throws -> Void) throws {
        let savepoint = outer.makeSavepoint()
        (outer.failure, outer.readFailure) = (nil, nil)
        do {
            try body(self)
            if let refusal = outer.refusal(since: savepoint) { throw refusal }
            outer.failure = savepoint.failure
            // What is made of what the body returns is not to be written either.
            outer.readFailure = savepoint.readFailure ?? outer.readFailure
            outer.release(savepoint)
        } catch {
            outer.rollBack(to: savepoint)
            session.noteChange()
            throw error
        }
    }

    private func commit(_ body: (Preferences) throws -> Void) throws {
        try preparation.runBeforeChange(of: self)
        let transaction = session.makeTransaction()
        let wasApplying = session.setApplying(false)
        var failure: (any Error)?
        defer {
            session.setApplying(wasApplying)
            transaction.finish(in: self)
            session.end(transaction)
        }
        do {
            try storeWriter.update(by: preparation.observation) { current in
                do {
                    // The transaction forgets the closure before this returns.
                    try withoutActuallyEscaping(current) { current in
                        try transaction.with(current, observer: KeyPathProbe.active(on: self)) {
                            try begin(transaction, body)
                        }
                    }
                    try transaction.applySecrets(in: self)
                } catch {
                    failure = error
                    throw error
                }
                session.setApplying(true)
                return withVersion(transaction.batch(), current)
            }
            // A store may have caught it.
            if let failure { throw failure }
            transaction.noteApplied()
        } catch {
            // What the body throws is the caller's, what the store throws is a problem.
            throw failure ?? transaction.noteFailure(error, in: self)
        }
    }

    /// Runs the body of a transaction, and the hooks that come before its commit, and begins that.
    private func begin(_ transaction: Transaction, _ body: (Preferences) throws -> Void) throws {
        func run(_ body: () throws -> Void) throws {
            try session.with(transaction, of: self, body)
            if let refusal = transaction.refusal() { throw refusal }
        }
        try run { try body(self) }
        try transaction.callHooksBefore(in: self, hooksJoin: true) { call in
            try run { hooks.run([call], in: session) }
        }
        transaction.begin(in: self)
    }
}
