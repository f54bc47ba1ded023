extension PreferenceNamespace {
    /// Makes all keys of the namespace, and of those inside it, not set, so that they read as their defaults: at once,
    /// and those that this version of the program does not know, too.
    ///
    /// - Throws: ``PreferenceProblem`` where the store cannot be read or written. Then nothing was changed, except with
    ///   ``PreferenceProblem/Code/notDurable``. Secrets are reset first; they stay so where only the rest fails.
    public func resetAll() throws {
        let former = Set(Self.formerStorageNames)
        try preferences.resetAll { $0.hasPrefix("\(Self.storageName):") || former.contains($0) }
    }
}

extension Preferences {
    /// Makes all keys not set, so that they read as their defaults: at once, and those that this version of the program
    /// does not know, too. What else is in the stores goes as well, whoever has put it there.
    ///
    /// - Throws: ``PreferenceProblem`` where a store cannot be read or written. Then nothing was changed, except with
    ///   ``PreferenceProblem/Code/notDurable``. Secrets are reset first; they stay so where only the rest fails.
    public func resetAll() throws {
        try resetAll { _ in true }
    }

    func resetAll(where fits: (String) -> Bool) throws {
        try transaction { _ in
            guard let transaction = session.active else { return }
            session.noteChange()
            var records = try names(in: store).map { record(of: $0) }
            if let secrets = redactedSecrets {
                records += try self.names(in: secrets).map { record(of: $0, isAmongSecrets: true, isOwn: false) }
            }
            records += transaction.recordsSet
            for record in records where fits(record.name) && !PreferenceMigration.isBookkeeping(record.name) {
                transaction.add(PreferenceEdit.remove.targeted([record]))
            }
        }
    }

    private func names(in store: any PreferenceStore) throws -> Set<String> {
        do {
            return try store.names()
        } catch {
            throw PreferenceProblem(describing: error, or: .storeUnreadable, key: nil, store: store.label)
        }
    }
}
