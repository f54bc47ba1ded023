/// Calling hooks in the course of a commit.
extension Hooks {
    /// A hook that is to be called.
    struct Call {
        let token: UInt64
        /// What concerns it.
        let names: Set<ProblemSubject>
        /// Is given those of the names that were committed: of two stores, one may have failed.
        let body: (Set<ProblemSubject>) -> Void
    }

    /// What a commit changes, as hooks see it.
    struct Changes {
        /// The names whose values become others.
        var names: Set<ProblemSubject>
        /// The present names of the entries that they belong to.
        var entryNames: Set<ProblemSubject>
        /// What there was, and what there will be.
        var old: Transaction
        var new: Transaction
    }

    /// The latest hook. Those that come later have no part in a commit that has begun.
    var lastToken: UInt64 { state.withLock { $0.nextToken } }

    /// Has all hooks of keys look again at what their keys are read from, as others have changed something.
    func noteOutsideChange() {
        if isEmpty { return }
        state.withLock { state in
            for token in state.keyHooks.keys { state.keyHooks[token]?.isStale = true }
        }
    }

    /// Finds the first hook that comes before a commit and was not called yet: those of keys come first, then those of
    /// namespaces, the outermost first. A hook is not told of what is changed while it is called.
    func nextCall(
        before changes: Changes,
        in preferences: Preferences,
        upTo last: UInt64,
        except called: inout Set<UInt64>
    ) -> Call? {
        for (token, hook) in keyHooks(.before, concernedBy: changes, in: preferences) where token <= last {
            guard called.insert(token).inserted else { continue }
            if let call = call(hook, token, changes, in: preferences) { return call }
        }
        for call in commitCalls(.before, changes, in: preferences) where call.token <= last {
            if called.insert(call.token).inserted { return call }
        }
        return nil
    }

    /// Finds the hooks that come after a commit: those of namespaces first, the innermost first, then those of keys.
    func calls(after changes: Changes, in preferences: Preferences, upTo last: UInt64) -> [Call] {
        let keyCalls = keyHooks(.after, concernedBy: changes, in: preferences)
            .compactMap { token, hook in call(hook, token, changes, in: preferences) }
        let calls = commitCalls(.after, changes, in: preferences).reversed() + keyCalls
        return calls.filter { $0.token <= last }
    }

    /// Calls hooks, other than those that were cancelled meanwhile.
    func run(_ calls: [Call], in session: WritingSession, where isDone: (ProblemSubject) -> Bool = { _ in true }) {
        KeyPathProbe.unprobed {
            for call in calls {
                let names = call.names.filter(isDone)
                guard !names.isEmpty, isThere(call.token) else { continue }
                session.runHook(call.token) { call.body(names) }
            }
        }
    }

    private func isThere(_ token: UInt64) -> Bool {
        state.withLock { $0.keyHooks[token] != nil || $0.commitHooks[token] != nil }
    }

    // MARK: - Keys

    private func keyHooks(
        _ moment: KeyHook.Moment,
        concernedBy changes: Changes,
        in preferences: Preferences
    ) -> [(token: UInt64, hook: KeyHook)] {
        guard !changes.names.isEmpty else { return [] }
        let hooks = state.withLock { $0.keyHooks }.filter { _, hook in
            hook.moment == moment && (hook.isStale || !hook.names.isDisjoint(with: changes.names))
        }
        return hooks.sorted { $0.key < $1.key }.filter { token, _ in
            guard preferences.session.isRunningHook(token) else { return true }
            state.withLock { $0.keyHooks[token]?.isStale = true }
            return false
        }.map { ($0.key, $0.value) }
    }

    private func call(_ hook: KeyHook, _ token: UInt64, _ changes: Changes, in preferences: Preferences) -> Call? {
        guard let look = hook.look(preferences, changes.old, changes.new) else {
            remove(token)
            return nil
        }
        let names = Set(look.entries.flatMap { preferences.storedNames(of: $0).map(\.subject) })
        state.withLock { state in
            // The commit may fail, and then it is read from what it was read from before.
            state.keyHooks[token]?.names.formUnion(names)
            state.keyHooks[token]?.isStale = false
        }
        let concerned = names.intersection(changes.names)
        return concerned.isEmpty ? nil : Call(token: token, names: concerned) { _ in look.call() }
    }

    // MARK: - Namespaces

    private func commitCalls(_ moment: KeyHook.Moment, _ changes: Changes, in preferences: Preferences) -> [Call] {
        guard !changes.names.isEmpty else { return [] }
        // Of the outer namespaces first.
        let hooks = state.withLock { $0.commitHooks }.filter { $0.value.moment == moment }.sorted {
            ($0.value.namespace?.utf8.count ?? -1, $0.key) < ($1.value.namespace?.utf8.count ?? -1, $1.key)
        }
        return hooks.compactMap { token, hook in
            let concerned = changes.entryNames.filter { hook.concerns($0) }
            guard !concerned.isEmpty, !preferences.session.isRunningHook(token) else { return nil }
            return Call(token: token, names: concerned) { hook.call(PreferenceCommit($0)) }
        }
    }
}

extension Hooks.CommitHook {
    fileprivate func concerns(_ subject: ProblemSubject) -> Bool {
        guard let namespace else { return true }
        return subject.key?.hasPrefix("\(namespace):") ?? false
    }
}

extension PreferenceCommit {
    fileprivate init(_ names: Set<ProblemSubject>) {
        self.init(names: Set(names.compactMap(\.key)))
    }
}
