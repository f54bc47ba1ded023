extension PersistentObjectEngine {
    /// Stores the value if it was reset.
    ///
    /// - Parameter isLast: Whether what cannot be stored now is lost.
    func save(isLast: Bool) throws(PreferenceProblem) {
        guard hasUnsavedChange else { return }
        try checkThatRepositoryIsFree()
        try withAccess { () throws(PreferenceProblem) in
            // Somebody else may have just done it.
            guard hasUnsavedChange else { return }
            let (value, resetCount) = state.withLock { ($0.value?.value, $0.resetCount) }
            var refusal: PreferenceProblem?
            var problem: PreferenceProblem?
            do {
                try checkEncoding(of: value)
                try repository.save(value) {
                    do throws(PreferenceProblem) {
                        try lookBeforeSaving(isLast: isLast)
                    } catch {
                        refusal = error
                        throw error
                    }
                }
            } catch {
                if let refusal { throw refusal }
                let failure = PreferenceProblem(saving: repository, failed: error, isLast: isLast)
                guard failure.code == .notDurable else { throw failure }
                problem = failure
            }
            let seen = StoredLook(value)
            state.withLock { state in
                state.seen = seen
                state.loadProblem = nil
                state.mayOverwriteUnreadable = false
                // What it was reset to meanwhile is still to be saved.
                if state.resetCount == resetCount { state.isChanged = false }
            }
            if let problem { throw problem }
        }
    }

    /// Finds out what others have stored that is to be overwritten, and tells of it.
    private func lookBeforeSaving(isLast: Bool) throws(PreferenceProblem) {
        do throws(PreferenceProblem) {
            try look()
        } catch {
            // Who has reset the object after that was known wants it so.
            if !state.withLock({ $0.mayOverwriteUnreadable }) {
                throw PreferenceProblem(keeping: error, isLast: isLast)
            }
        }
    }

    private func checkEncoding(of value: Value?) throws(PreferenceProblem) {
        guard let value else { return }
        do {
            _ = try CodedValue(value: value).preferenceValue()
        } catch {
            throw PreferenceProblem(encoding: Value.self, for: repository, failed: error)
        }
    }

    /// Refuses to wait for a repository that this thread keeps from being used: others that have `access` may wait for it.
    private func checkThatRepositoryIsFree() throws(PreferenceProblem) {
        do {
            try (repository as? any RepositoryOfWriters)?.checkThatItIsFree()
        } catch {
            throw PreferenceProblem(saving: repository, failed: error, isLast: false)
        }
    }

    func synchronize() throws(PreferenceProblem) {
        try checkThatRepositoryIsFree()
        try withAccess { () throws(PreferenceProblem) in
            do {
                try repository.synchronize()
            } catch {
                throw PreferenceProblem(synchronizing: repository, failed: error)
            }
            try look()
        }
    }

    /// Saves where nobody is there whom a problem could be thrown to.
    ///
    /// - Parameter isLast: Whether what cannot be stored now is lost.
    func saveByItself(isLast: Bool, _ report: (PreferenceProblem) -> Void) {
        guard isUnsavedHere else { return }
        do throws(PreferenceProblem) {
            try save(isLast: isLast)
        } catch {
            report(error)
        }
    }
}
