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
        /// Reads the key in two views, and gives what calls the hook with both values; nil where the hook's home is gone.
        var call: @Sendable (Preferences, _ old: Transaction, _ new: Transaction) -> (() -> Void)?
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
            state.processors.filter { $0.value.entry == entry }.sorted { $0.key < $1.key }.map(\.value.process)
        }
        return processors.reduce(value) { value, process in
            guard let wrapper = value as? any ValueWrapper else { return process(value) as? Value ?? value }
            return wrapper.with(process(wrapper.wrappedAny)) as? Value ?? value
        }
    }
}

extension Hooks {
    /// The hooks that take part in one commit.
    final class Calls {
        fileprivate var willChange: [() -> Void] = []
        fileprivate var didChange: [(names: Set<ProblemSubject>, call: () -> Void)] = []
        fileprivate var willCommit: [() -> Void] = []
        fileprivate var didCommit: [(names: Set<ProblemSubject>, call: (PreferenceCommit) -> Void)] = []

        func before() {
            KeyPathProbe.unprobed { for call in willChange + willCommit { call() } }
        }

        /// - Parameter isDone: Whether a name was committed: of two stores, one may have failed.
        func after(where isDone: (ProblemSubject) -> Bool) {
            KeyPathProbe.unprobed {
                for (names, call) in didCommit {
                    let names = names.filter(isDone)
                    if !names.isEmpty { call(PreferenceCommit(names)) }
                }
                for (names, call) in didChange where names.contains(where: isDone) { call() }
            }
        }
    }

    /// Finds the hooks of a commit, and what they are to be told.
    func calls(
        forChangesOf names: Set<ProblemSubject>,
        by edits: [PlacedEdit],
        in preferences: Preferences,
        over current: ((_ name: String) throws -> PreferenceValue?)?
    ) -> Calls? {
        guard !names.isEmpty else { return nil }
        let state = state.withLock { $0 }
        let old = Transaction(current: current)
        let new = Transaction(current: current)
        new.add(edits)
        let calls = Calls()
        for (token, hook) in state.keyHooks.sorted(by: { $0.key < $1.key }) {
            let concerned = hook.names.intersection(names)
            guard !concerned.isEmpty else { continue }
            guard let call = hook.call(preferences, old, new) else {
                remove(token)
                continue
            }
            switch hook.moment {
            case .before: calls.willChange.append(call)
            case .after: calls.didChange.append((concerned, call))
            }
        }
        // Of the outer namespaces first.
        let commitHooks = state.commitHooks.sorted {
            ($0.value.namespace?.utf8.count ?? -1, $0.key) < ($1.value.namespace?.utf8.count ?? -1, $1.key)
        }
        for (_, hook) in commitHooks {
            let concerned = names.filter { hook.concerns($0) }
            guard !concerned.isEmpty else { continue }
            switch hook.moment {
            case .before: calls.willCommit.append { hook.call(PreferenceCommit(concerned)) }
            case .after: calls.didCommit.insert((concerned, hook.call), at: 0)
            }
        }
        return calls
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
