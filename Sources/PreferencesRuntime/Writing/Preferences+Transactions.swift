/// Transactions, and the operations that run in one: updates of a key, and resets of whole namespaces.
extension Preferences {
    /// Whether the calling thread runs a transaction of these preferences.
    package var isInTransaction: Bool { session.transaction(of: self) != nil }

    /// Makes all changes of a body, or none, in one atomic batch with one durable write and one notification for each
    /// key.
    ///
    /// ```swift
    /// try preferences.transaction { preferences in
    ///     preferences.weather.stations.append("Oslo")
    ///     preferences.weather.temperature = 3.5
    /// }
    /// ```
    ///
    /// The body reads the values that the store had when the transaction began, and its own changes. Other threads and
    /// other processes see none of the changes before all are committed. In the meantime no other thread changes
    /// anything, and no other process either if the store can lock it out, as ``FileStore`` can. Use no other
    /// ``Preferences`` in the body than the ones that it is given, and keep it short.
    ///
    /// Nothing is changed if the body throws, if the setter of a property refuses a value or cannot store it, or if a
    /// store cannot be read, because the body has then been given earlier values or defaults. The body may catch errors
    /// of ``PreferenceAccessors/set(_:to:)-(ReferenceWritableKeyPath<Self,Value>,_)`` and go on. A transaction inside
    /// another one joins it: it is committed with the outer one, but if it throws, only its own changes are undone.
    ///
    /// Secrets are in a store of their own, and each store is changed atomically by itself: if the main store fails
    /// after the secrets have been committed, the secrets stay changed.
    ///
    /// - Parameter body: Reads and sets keys of the preferences that it is given. It must not pass them to other
    ///   threads, whose changes are not part of the transaction. Over a store that cannot lock out other machines, such
    ///   as an `EtcdStore`, it runs again if one of them has changed what it has read; the changes of the earlier run are
    ///   undone.
    /// - Returns: The result of the body.
    /// - Throws: The error of the body; or ``PreferenceProblem`` if a value was refused, or the store could not be read
    ///   or written. Nothing has been changed then, except with ``PreferenceProblem/Code/notDurable``.
    @inlinable
    public func transaction<Result>(_ body: (Preferences) throws -> Result) throws -> Result {
        // `runTransaction` is not generic over the result, because at run time the lookup of each type that depends on
        // it costs more than a set.
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
            // The outer body may write values that it derives from the result.
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
                // After a conflict, the store calls the closure again.
                failure = nil
                session.setApplying(false)
                transaction.restart(in: self)
                do {
                    // The transaction releases the closure before this returns.
                    try withoutActuallyEscaping(current) { own in
                        // The body reads fixed values; a batch is made from the stored ones.
                        let current =
                            manageable.map { manageable in
                                { name in try manageable.managedValue(of: name).map(\.value) ?? own(name) }
                            } ?? own
                        try transaction.with(current, observer: AccessTracker.active(on: self)) {
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
            // The store may have caught the error.
            if let failure { throw failure }
            transaction.noteApplied()
        } catch {
            // Errors of the body are rethrown unchanged; errors of the store become problems.
            throw failure ?? transaction.noteFailure(error, in: self)
        }
    }

    /// Runs the body of a transaction and the hooks that come before its commit, and begins the commit.
    private func begin(_ transaction: Transaction, _ body: (Preferences) throws -> Void) throws {
        func run(_ body: () throws -> Void) throws {
            try session.with(transaction, of: self, body)
            if let refusal = transaction.refusal() { throw refusal }
        }
        try run { try body(self) }
        try transaction.callHooksBeforeCommit(in: self, hooksJoin: true) { call in
            try run { hooks.run([call], in: session) }
        }
        transaction.begin(in: self)
    }
}

// MARK: - Updates

extension PreferenceAccessors {
    /// Changes a key based on its current value. No other thread changes the key in between, and no other process
    /// either if the store can lock it out, as ``FileStore`` can.
    ///
    /// ```swift
    /// try weather.update(\.temperature) { $0 += 0.5 }
    /// let first = try weather.update(\.stations) { $0.isEmpty ? nil : $0.removeFirst() }
    /// ```
    ///
    /// - Parameters:
    ///   - key: The key; or a computed property with a setter, whose keys are then changed together.
    ///   - body: Changes the value, inside a ``Preferences/transaction(_:)``, which may run it again after a conflict. If
    ///     it throws, the setter of a computed property still runs, as for any `inout` argument, and its changes of keys
    ///     are undone.
    /// - Returns: The result of the body.
    /// - Throws: The error of the body; or ``PreferenceProblem`` if the value was refused, or the store could not be
    ///   read or written. Nothing has been changed then, except with ``PreferenceProblem/Code/notDurable``.
    @inlinable
    public func update<Value, Result>(
        _ key: ReferenceWritableKeyPath<Self, Value>,
        _ body: (inout Value) throws -> Result
    ) throws -> Result {
        try preferences.transaction { _ in try body(&self[keyPath: key]) }
    }

    /// Unavailable: the property has no setter.
    @available(
        *,
        unavailable,
        message: "the key path leads to a property without a setter: a read-only key or a namespace"
    )
    public func update<Value, Result>(
        _ key: KeyPath<Self, Value>,
        _ body: (inout Value) throws -> Result
    ) throws -> Result { fatalError() }
}

// MARK: - Resets

extension PreferenceNamespace {
    /// Resets all keys of the namespace and of the namespaces inside it, in one change, including keys that this
    /// version of the program does not declare. They read as their defaults afterwards.
    ///
    /// - Throws: ``PreferenceProblem`` if the store cannot be read or written. Nothing has been changed then, except
    ///   with ``PreferenceProblem/Code/notDurable``. Secrets are reset first, and stay reset if only the rest fails.
    public func resetAll() throws {
        let others = Set(Self.unprefixedStorageNames + Self.formerStorageNames)
        for type in Self.declaredHooks { preferences.hooks.declare(type) }
        try preferences.resetAll { name in
            name.divisionsAtColons.contains { $0.namespace == Self.storageName } || others.contains(name)
        }
    }
}

extension Preferences {
    /// Resets all keys, in one change, including keys that this version of the program does not declare. They read as
    /// their defaults afterwards. All other values in the stores are removed, too, also in the store of secrets: if that
    /// is the system's, those of all preferences of the program. Only the package's own entries are kept, whose names
    /// begin with `::`: the record of migrations, and keys of encrypted stores.
    ///
    /// - Throws: ``PreferenceProblem`` if a store cannot be read or written. Nothing has been changed then, except with
    ///   ``PreferenceProblem/Code/notDurable``. Secrets are reset first, and stay reset if only the rest fails.
    public func resetAll() throws {
        try resetAll { _ in true }
    }

    fileprivate func resetAll(where isIncluded: (String) -> Bool) throws {
        try transaction { _ in
            guard let transaction = session.active else { return }
            session.noteChange()
            // Only the user's own values of fixed keys can be removed.
            let names = try names(in: store).filter { name in
                guard let manageable, manageable.managedValue(of: name) != nil else { return true }
                return try manageable.unmanagedValue(for: name) != nil
            }
            var records = names.map { record(of: $0, isOwn: false) }
            if let secrets = redactedSecrets {
                records += try self.names(in: secrets).map { record(of: $0, isAmongSecrets: true, isOwn: false) }
            }
            records += transaction.recordsSet
            for record in records where isIncluded(record.name) && !PreferenceMigration.isBookkeeping(record.name) {
                transaction.add(PreferenceEdit.remove.targeted([record]))
            }
        }
    }

    func names(in store: any PreferenceStore) throws -> Set<String> {
        do {
            return try store.names()
        } catch {
            throw PreferenceProblem(describing: error, or: .storeUnreadable, key: nil, store: store.label)
        }
    }
}
