/// What is to be done with values on their way into the stores.
final class Hooks: Sendable {
    /// Takes part in the changes of a key.
    struct KeyHook: Sendable {
        enum Moment {
            case before
            case after
        }

        var moment: Moment
        /// The names of the entries that the key has been read from.
        var names: Set<ProblemSubject>
        /// Whether it may be read from others by now, as something was changed without it.
        var isStale = false
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

    struct State {
        var processors: [UInt64: (entry: PreferenceEntry, process: @Sendable (Preferences, Any) -> Any)] = [:]
        var keyHooks: [UInt64: KeyHook] = [:]
        var commitHooks: [UInt64: CommitHook] = [:]
        var nextToken: UInt64 = 0
    }

    let state = Locked(State())
    private let count = AtomicCounter()

    /// Whether there is none, found out without a lock.
    var isEmpty: Bool { count.isZero }

    func addProcessor(
        of entry: PreferenceEntry,
        _ process: @escaping @Sendable (Preferences, Any) -> Any
    ) -> PreferenceHook {
        add { $0.processors[$1] = (entry, process) }
    }

    func add(_ hook: KeyHook) -> PreferenceHook {
        add { $0.keyHooks[$1] = hook }
    }

    func add(_ hook: CommitHook) -> PreferenceHook {
        add { $0.commitHooks[$1] = hook }
    }

    private func add(_ insert: (inout State, UInt64) -> Void) -> PreferenceHook {
        count.increment()
        let token = state.withLock { state in
            state.nextToken += 1
            insert(&state, state.nextToken)
            return state.nextToken
        }
        return PreferenceHook { [weak self] in self?.remove(token) }
    }

    func remove(_ token: UInt64) {
        // What they have captured is released after the lock.
        let removed = state.withLock { state in
            (
                state.processors.removeValue(forKey: token), state.keyHooks.removeValue(forKey: token),
                state.commitHooks.removeValue(forKey: token)
            )
        }
        if removed.0 != nil || removed.1 != nil || removed.2 != nil { count.decrement() }
    }

    /// What a key is to be set to instead of a value.
    func process<Value>(_ value: Value, of entry: PreferenceEntry, in preferences: Preferences) -> Value {
        let processors = state.withLock { state in
            state.processors.filter { $0.value.entry.name == entry.name && $0.value.entry.isSecret == entry.isSecret }
                .sorted { $0.key < $1.key }.map(\.value.process)
        }
        return processors.reduce(value) { value, process in
            guard let wrapper = value as? any ValueWrapper else {
                return process(preferences, value) as? Value ?? value
            }
            return wrapper.with(process(preferences, wrapper.wrappedAny)) as? Value ?? value
        }
    }
}
