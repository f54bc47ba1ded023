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
            if let outer = session.transaction(of: self) { try join(outer, body) } else { try commit(body) }
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
        var failure: (any Error)?
        var commit: Commit?
        var extent = Commit.Extent.nothing
        let outerApplication = session.suspendApplying()
        let notesIndices = session.beginNotingIndices()
        defer {
            if notesIndices { session.endNotingIndices() }
            session.endApplying(outerApplication)
            commit?.finish(extent)
        }
        do {
            try store.update(by: preparation.observation) { current in
                // The transaction is gone before this returns, and with it the closure.
                try withoutActuallyEscaping(current) { current in
                    do {
                        let transaction = Transaction(
                            current: current,
                            observer: KeyPathProbe.active(on: self),
                            notesIndices: notesIndices
                        )
                        try run(body, in: transaction)
                        commit = try makeCommit(of: transaction, current)
                        commit?.begin(current: current)
                    } catch {
                        failure = error
                        throw error
                    }
                }
                do throws(PreferenceProblem) {
                    try commit?.applySecrets()
                } catch {
                    if error.code == .notDurable { extent = .secrets }
                    failure = error
                    throw error
                }
                extent = .secrets
                let batch = commit?.batch() ?? PreferenceBatch()
                _ = session.beginApplying(batch, to: store)
                return withVersion(batch, current)
            }
            extent = .everything
        } catch {
            // What the body throws is the caller's, what the store throws is a problem.
            if let failure { throw failure }
            guard let commit else {
                throw PreferenceProblem(describing: error, or: .storeUnwritable, key: nil, store: store.label)
            }
            let problem = commit.problem(error)
            if problem.code == .notDurable { extent = .everything }
            throw problem
        }
    }

    /// Runs the body of a transaction, which then has what it wants to change.
    private func run(_ body: (Preferences) throws -> Void, in transaction: Transaction) throws {
        try session.with(transaction, of: self) {
            try body(self)
            if let refusal = transaction.refusal() { throw refusal }
        }
    }

    /// Calls the hooks that come before a commit. What they set is part of the transaction.
    private func makeCommit(
        of transaction: Transaction,
        _ current: @escaping (_ name: String) throws -> PreferenceValue?
    ) throws(PreferenceProblem) -> Commit {
        // Then nothing is added to the transaction any more.
        if hooks.isEmpty { return Commit(transaction.takeEdits(), in: self) }
        var commit = Commit(transaction.edits, in: self)
        try commit.callHooksBefore(in: transaction, current: current) { call throws(PreferenceProblem) in
            session.with(transaction, of: self) { hooks.run([call], in: session) }
            if let refusal = transaction.refusal() { throw refusal }
        }
        return commit
    }
}
