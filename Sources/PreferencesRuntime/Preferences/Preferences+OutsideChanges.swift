/// Changes that others make in the stores: another `Preferences`, another process, a person with an editor.
extension Preferences {
    /// Has reads ask the store again, and tells watchers: at once, or when the thread that is writing has finished.
    ///
    /// - Parameter isAmongSecrets: In which store.
    func noteOutsideChange(_ change: PreferenceStoreChange, isAmongSecrets: Bool) {
        let isNews = state.withLock { state in
            let names: [StoredName] =
                switch change {
                case .names(let names):
                    names.compactMap { name -> StoredName? in
                        // A store tells of what it is just being given, too. That is told when it is committed.
                        if session.isApplying(name, isAmongSecrets: isAmongSecrets, in: self) { return nil }
                        return isAmongSecrets ? state.secretNames[name] : state.names[name]
                    }
                case .everything: Array(isAmongSecrets ? state.secretNames.values : state.names.values)
                case .unreadable, .problem: []
                }
            if names.isEmpty { return false }
            // Values that are forgotten end when the lock is free.
            ThreadWrites.begin()
            for name in names {
                name.invalidate()
                state.overtaken[ObjectIdentifier(name)] = name
            }
            return true
        }
        switch change {
        case .unreadable(let problem):
            let cause = isAmongSecrets ? problem.withoutContents(ofValue: "a value there cannot be read") : problem
            reporter.report(PreferenceProblem(goingOnAfter: cause))
        case .problem(let problem): reporter.report(problem)
        case .names, .everything: break
        }
        guard isNews else { return }
        defer { ThreadWrites.end(then: nil) }
        hooks.noteOutsideChange()
        ThreadWrites.postpone { self.settle() }
    }

    /// Tells watchers of what others have changed, unless another thread is writing: that one does it then, when it has
    /// finished.
    func settle() {
        while state.withLock({ !$0.overtaken.isEmpty }) {
            var deliveries = Deliveries()
            // What the properties set that are watched is told of afterwards, too.
            ThreadWrites.begin()
            let isDone = writing.withLockIfAvailable {
                tellOfOvertaken()
                deliveries = session.takeDeliveries()
            }
            ThreadWrites.end(then: deliveries.isEmpty ? nil : { [deliveries] in deliveries.deliver() })
            guard isDone else { return }
        }
    }

    private func tellOfOvertaken() {
        let names = state.withLock { state in
            defer { state.overtaken = [:] }
            return Array(state.overtaken.values)
        }
        let changed = names.filter { name in
            // Others ask when they read.
            guard state.withLock({ _ in name.takeUntold() }), let store = name.isAmongSecrets ? secrets : store else {
                return false
            }
            let location = Location(store: store, name: name, isSecret: name.isAmongSecrets)
            do {
                let value = try value(at: location)
                return state.withLock { _ in name.tell(value) }
            } catch {
                reportUnreadable(location, error)
                return false
            }
        }
        tell(of: changed)
    }
}
