/// What is to be done with values on their way into the stores.
final class Hooks: Sendable {
    /// Takes part in the changes of a key.
    struct KeyHook: Sendable {
        enum Moment {
            case before
            case after
        }

        var moment: Moment
        /// The names of the key's entries.
        var names: Set<ProblemSubject>
        /// Reads the key in two views. Nil where the hook's home is gone.
        var look: @Sendable (Preferences, _ old: Transaction, _ new: Transaction) -> Look?
    }

    /// What a hook has found of a key.
    struct Look {
        /// The entries that it has been read from.
        var entries: Set<PreferenceEntry>
        /// Calls the hook with both values.
        var call: () -> Void
    }

    /// Takes part in the commits of a namespace.
    struct CommitHook: Sendable {
        var moment: KeyHook.Moment
        /// The namespace's storage name; nil for all keys.
        var namespace: String?
        var call: @Sendable (PreferenceCommit) -> Void
    }

    private struct State {
        var processors: [UInt64: (entry: PreferenceEntry, process: @Sendable (Any) -> Any)] = [:]
        var keyHooks: [UInt64: KeyHook] = [:]
        var commitHooks: [UInt64: CommitHook] = [:]
        var nextToken: UInt64 = 0
    }

    private let state = Locked(State())
    private let count = Tally()

    /// Whether there is none, found out without a lock.
    var isEmpty: Bool { count.isZero }

    func addProcessor(of entry: PreferenceEntry, _ process: @escaping @Sendable (Any) -> Any) -> PreferenceHook {
        add { $0.processors[$1] = (entry, process) }
    }

    func add(_ hook: KeyHook) -> PreferenceHook {
        add { $0.keyHooks[$1] = hook }
    }

    func add(_ hook: CommitHook) -> PreferenceHook {
        add { $0.commitHooks[$1] = hook }
    }

    private func add(_ insert: (inout State, UInt64) -> Void) -> PreferenceHook {
        count.add()
        let token = state.withLock { state in
            state.nextToken += 1
            insert(&state, state.nextToken)
            return state.nextToken
        }
        return PreferenceHook { [weak self] in self?.remove(token) }
    }

    private func remove(_ token: UInt64) {
        let isThere = state.withLock { state in
            let processor = state.processors.removeValue(forKey: token)
            let keyHook = state.keyHooks.removeValue(forKey: token)
            let commitHook = state.commitHooks.removeValue(forKey: token)
            return processor != nil || keyHook != nil || commitHook != nil
        }
        if isThere { count.remove() }
    }

    /// What a key is to be set to instead of a value.
    func process<Value>(_ value: Value, of entry: PreferenceEntry) -> Value {
        let processors = state.withLock { state in
            state.processors.filter { $0.value.entry.name == entry.name && $0.value.entry.isSecret == entry.isSecret }
                .sorted { $0.key < $1.key }.map(\.value.process)
        }
        return processors.reduce(value) { value, process in
            guard let wrapper = value as? any ValueWrapper else { return process(value) as? Value ?? value }
            return wrapper.with(process(wrapper.wrappedAny)) as? Value ?? value
        }
    }
}

extension Hooks {
    /// A hook that is to be called in the course of a commit.
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
        var edits: [PlacedEdit]
        /// Gives what is kept under a name of the main store; nil to ask the store itself.
        var current: ((_ name: String) throws -> PreferenceValue?)?
    }

    /// Finds the hooks that come before or after a commit, in their order, and what they are to be told. A hook is not
    /// told of what it sets itself.
    func calls(_ moment: KeyHook.Moment, for changes: Changes, in preferences: Preferences) -> [Call] {
        guard !changes.names.isEmpty else { return [] }
        let state = state.withLock { $0 }
        let old = Transaction(current: changes.current)
        let new = Transaction(current: changes.current)
        new.add(changes.edits)
        let isRunning = preferences.session.isRunningHook
        var keyCalls: [Call] = []
        for (token, hook) in state.keyHooks.sorted(by: { $0.key < $1.key }) where hook.moment == moment {
            let concerned = hook.names.intersection(changes.names)
            guard !concerned.isEmpty, !isRunning(token) else { continue }
            guard let look = hook.look(preferences, old, new) else {
                remove(token)
                continue
            }
            let names = Set(look.entries.flatMap { preferences.storedNames(of: $0).map(\.subject) })
            if names != hook.names { self.state.withLock { $0.keyHooks[token]?.names = names } }
            keyCalls.append(Call(token: token, names: concerned) { _ in look.call() })
        }
        // Of the outer namespaces first.
        let commitHooks = state.commitHooks.filter { $0.value.moment == moment }.sorted {
            ($0.value.namespace?.utf8.count ?? -1, $0.key) < ($1.value.namespace?.utf8.count ?? -1, $1.key)
        }
        var commitCalls: [Call] = []
        for (token, hook) in commitHooks {
            let concerned = changes.entryNames.filter { hook.concerns($0) }
            guard !concerned.isEmpty, !isRunning(token) else { continue }
            commitCalls.append(Call(token: token, names: concerned) { hook.call(PreferenceCommit($0)) })
        }
        return moment == .before ? keyCalls + commitCalls : commitCalls.reversed() + keyCalls
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
