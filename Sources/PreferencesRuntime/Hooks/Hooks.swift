/// What is to be done with values on their way into the stores.
final class Hooks: Sendable {
    /// Takes part in the changes of a key.
    struct KeyHook: Sendable {
        enum Moment {
            case before
            case after
        }

        var moment: Moment
        /// The names of the key's entry.
        var names: Set<String>
        /// Reads the key as it is in the session's view, and gives it to the hook with what it is in another.
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
        var processors: [UInt64: (name: String, process: @Sendable (Any) -> Any)] = [:]
        var keyHooks: [UInt64: KeyHook] = [:]
        var commitHooks: [UInt64: CommitHook] = [:]
        var nextToken: UInt64 = 0
    }

    private let state = Locked(State())
    private let count = Tally()

    /// Whether there is none, found out without a lock.
    var isEmpty: Bool { count.isZero }

    func addProcessor(of name: String, _ process: @escaping @Sendable (Any) -> Any) -> PreferenceHook {
        add { $0.processors[$1] = (name, process) }
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
        return PreferenceHook { [weak self] in
            guard let self else { return }
            state.withLock { state in
                state.processors[token] = nil
                state.keyHooks[token] = nil
                state.commitHooks[token] = nil
            }
            count.remove()
        }
    }

    /// What a key is to be set to instead of a value.
    func process<Value>(_ value: Value, of name: String) -> Value {
        let processors = state.withLock { state in
            state.processors.filter { $0.value.name == name }.sorted { $0.key < $1.key }.map(\.value.process)
        }
        return processors.reduce(value) { value, process in
            guard let wrapper = value as? any ValueWrapper else { return process(value) as? Value ?? value }
            return wrapper.with(process(wrapper.wrappedAny)) as? Value ?? value
        }
    }
}

extension Hooks {
    /// The hooks that take part in one commit.
    struct Calls {
        fileprivate var willChange: [() -> Void] = []
        fileprivate var didChange: [() -> Void] = []
        fileprivate var willCommit: [() -> Void] = []
        fileprivate var didCommit: [() -> Void] = []

        func before() {
            KeyPathProbe.unprobed { for call in willChange + willCommit { call() } }
        }

        func after() {
            KeyPathProbe.unprobed { for call in didCommit + didChange { call() } }
        }
    }

    /// Finds the hooks of a commit, and what they are to be told.
    func calls(
        for changes: [Commit.Change],
        in preferences: Preferences,
        over current: ((_ name: String) throws -> PreferenceValue?)?
    ) -> Calls? {
        let names = Set(changes.filter { $0.old != .some($0.new) }.map(\.name.name))
        guard !names.isEmpty else { return nil }
        let state = state.withLock { $0 }
        let old = Transaction(current: current)
        let new = Transaction(current: current)
        new.add(changes.map(\.edit))
        var calls = Calls()
        for (_, hook) in state.keyHooks.sorted(by: { $0.key < $1.key }) where !hook.names.isDisjoint(with: names) {
            guard let call = hook.call(preferences, old, new) else { continue }
            switch hook.moment {
            case .before: calls.willChange.append(call)
            case .after: calls.didChange.append(call)
            }
        }
        // Of the outer namespaces first.
        let commitHooks = state.commitHooks.sorted {
            ($0.value.namespace?.utf8.count ?? -1, $0.key) < ($1.value.namespace?.utf8.count ?? -1, $1.key)
        }
        for (_, hook) in commitHooks {
            let concerned = hook.namespace.map { namespace in names.filter { $0.hasPrefix("\(namespace):") } } ?? names
            guard !concerned.isEmpty else { continue }
            let commit = PreferenceCommit(names: concerned)
            switch hook.moment {
            case .before: calls.willCommit.append { hook.call(commit) }
            case .after: calls.didCommit.insert({ hook.call(commit) }, at: 0)
            }
        }
        return calls
    }
}
