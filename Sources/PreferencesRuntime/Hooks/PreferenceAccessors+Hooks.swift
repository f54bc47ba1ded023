import PreferencesSystem

/// Hooks, which take part in changes: they process values before they are set, and are called before and after commits.
///
/// A change runs in this order:
///
/// 1. The old value is read, and the new one is processed and validated.
/// 2. ``willChange(of:_:)`` hooks are called.
/// 3. ``PreferenceNamespace/willCommit(_:)`` hooks are called, from the outermost namespace to the innermost.
/// 4. The change is committed.
/// 5. ``PreferenceNamespace/didCommit(_:)`` hooks are called, from the innermost namespace to the outermost.
/// 6. ``didChange(of:_:)`` hooks are called.
/// 7. Watchers are notified.
///
/// A transaction runs steps 2 to 7 once, at its end, with all its changes. Values are processed and validated when a
/// key is set.
///
/// Hooks are called on the thread that makes the change, while no other thread can make one. They may read and set
/// keys. Changes that a hook makes before a commit are committed before it, or in a transaction together with it. So a
/// hook that sets the changed key itself takes precedence in a transaction and in ``update(_:_:)``, but not over a
/// setter; to change a value that is being set, process it. A hook is not called for its own changes, nor for those
/// that other hooks make in response. External changes do not call hooks. Use a watcher to only observe changes.
extension PreferenceAccessors {
    /// Processes the values that a key is set to.
    ///
    /// ```swift
    /// preferences.user.processValues(of: \.name) { $0.trimmingCharacters(in: .whitespaces) }
    /// ```
    ///
    /// Stored values and defaults are not processed. If a key has several processors, each receives the result of the
    /// previous one.
    ///
    /// - Parameters:
    ///   - key: The key. A key path to a computed property over several keys, into a value, or to the result of a
    ///     transformation is reported as ``PreferenceProblem/Code/notAKey``, and its values are not processed.
    ///   - body: Returns the value to set. It must not use these preferences.
    /// - Returns: The hook, to cancel it. It need not be retained.
    @discardableResult
    public func processValues<Value>(
        of key: ReferenceWritableKeyPath<Self, Value>,
        _ body: @escaping @Sendable (Value) -> Value
    ) -> PreferenceHook {
        addProcessor(of: key) { _, new in body(new) }
    }

    /// Processes the values that a key is set to, together with its current value.
    ///
    /// ```swift
    /// preferences.game.processValues(of: \.highScore) { old, new in max(old, new) }
    /// ```
    ///
    /// In a transaction, the current value is the one that the transaction has set. The hook reads it through the
    /// receiver; if the receiver is an object, the hook ends when the object is released. In all other respects, this
    /// is the same as the method whose closure receives the new value alone.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - body: Returns the value to set. It must not use these preferences.
    /// - Returns: The hook, to cancel it. It need not be retained.
    @discardableResult
    public func processValues<Value: Sendable>(
        of key: any ReferenceWritableKeyPath<Self, Value> & Sendable,
        _ body: @escaping @Sendable (_ old: Value, _ new: Value) -> Value
    ) -> PreferenceHook {
        let read = AccessorReader(self, key)
        return addProcessor(of: key) { preferences, new in read(preferences).map { body($0, new) } ?? new }
    }

    /// Unavailable: the property has no setter.
    @available(
        *,
        unavailable,
        message: "the key path leads to a property without a setter: a read-only key or a namespace"
    )
    @discardableResult
    public func processValues<Value>(
        of key: KeyPath<Self, Value>,
        _ body: @escaping @Sendable (Value) -> Value
    ) -> PreferenceHook { fatalError() }

    private func addProcessor<Value>(
        of key: ReferenceWritableKeyPath<Self, Value>,
        _ process: @escaping @Sendable (Preferences, _ new: Value) -> Value
    ) -> PreferenceHook {
        guard let entry = AccessTracker.entry(in: preferences, readAs: Value.self, { _ = self[keyPath: key] }) else {
            preferences.reportNotSingleKey(key, consequence: "its values are not processed")
            return PreferenceHook {}
        }
        return preferences.hooks.addProcessor(of: entry) { preferences, value in
            (value as? Value).map { process(preferences, $0) } ?? value
        }
    }

    /// Calls a body before each change of a key, with the current and the new value.
    ///
    /// - Parameters:
    ///   - key: The key, or a computed property over several keys.
    ///   - body: Receives the change.
    /// - Returns: The hook, to cancel it. It need not be retained.
    @discardableResult
    public func willChange<Value: Sendable>(
        of key: any KeyPath<Self, Value> & Sendable,
        _ body: @escaping @Sendable (PreferenceChange<Value>) -> Void
    ) -> PreferenceHook {
        addHook(.before, key, body)
    }

    /// Calls a body after each change of a key, with the old and the new value.
    ///
    /// - Parameters:
    ///   - key: The key, or a computed property over several keys.
    ///   - body: Receives the change.
    /// - Returns: The hook, to cancel it. It need not be retained.
    @discardableResult
    public func didChange<Value: Sendable>(
        of key: any KeyPath<Self, Value> & Sendable,
        _ body: @escaping @Sendable (PreferenceChange<Value>) -> Void
    ) -> PreferenceHook {
        addHook(.after, key, body)
    }

    private func addHook<Value: Sendable>(
        _ moment: Hooks.Moment,
        _ key: any KeyPath<Self, Value> & Sendable,
        _ body: @escaping @Sendable (PreferenceChange<Value>) -> Void
    ) -> PreferenceHook {
        let entries = entries(of: key)
        preferences.reportInvalidKeyPaths(
            [key],
            leadToKeys: !entries.isEmpty,
            consequence: "the hook is not called",
            adviceForNamespace: "use its willCommit(_:) or didCommit(_:) instead"
        )
        let ids = Set(entries.flatMap(\.recordIDs))
        let read = AccessorReader(self, key)
        let hook = Hooks.KeyHook(moment: moment) { preferences, old, new in
            let session = preferences.session
            var values: (old: Value?, new: Value?)
            let entries = AccessTracker.entries(in: preferences) {
                values.old = session.with(old, of: preferences) { read(preferences) }
                values.new = session.with(new, of: preferences) { read(preferences) }
            }
            guard let old = values.old, let new = values.new else { return nil }
            return Hooks.KeyChange(entries: entries) { body(PreferenceChange(old: old, new: new)) }
        }
        return preferences.hooks.add(hook, readFrom: ids)
    }
}

extension PreferenceNamespace {
    /// Calls a body before each commit that changes keys of the namespace or of namespaces inside it: once for a
    /// transaction.
    ///
    /// - Parameter body: Receives the names that the commit is about to change.
    /// - Returns: The hook, to cancel it. It need not be retained.
    @discardableResult
    public func willCommit(_ body: @escaping @Sendable (PreferenceCommit) -> Void) -> PreferenceHook {
        preferences.hooks.add(Hooks.CommitHook(moment: .before, namespace: Self.self, call: body))
    }

    /// Calls a body after each commit that has changed keys of the namespace or of namespaces inside it: once for a
    /// transaction.
    ///
    /// - Parameter body: Receives the names that the commit has changed.
    /// - Returns: The hook, to cancel it. It need not be retained.
    @discardableResult
    public func didCommit(_ body: @escaping @Sendable (PreferenceCommit) -> Void) -> PreferenceHook {
        preferences.hooks.add(Hooks.CommitHook(moment: .after, namespace: Self.self, call: body))
    }
}

extension Preferences {
    /// Calls a body before each commit, like ``PreferenceNamespace/willCommit(_:)`` of an outermost namespace.
    ///
    /// - Parameter body: Receives the names that the commit is about to change.
    /// - Returns: The hook, to cancel it. It need not be retained.
    @discardableResult
    public func willCommit(_ body: @escaping @Sendable (PreferenceCommit) -> Void) -> PreferenceHook {
        hooks.add(Hooks.CommitHook(moment: .before, namespace: nil, call: body))
    }

    /// Calls a body after each commit, like ``PreferenceNamespace/didCommit(_:)`` of an outermost namespace.
    ///
    /// - Parameter body: Receives the names that the commit has changed.
    /// - Returns: The hook, to cancel it. It need not be retained.
    @discardableResult
    public func didCommit(_ body: @escaping @Sendable (PreferenceCommit) -> Void) -> PreferenceHook {
        hooks.add(Hooks.CommitHook(moment: .after, namespace: nil, call: body))
    }
}

/// A registered hook, which takes part in changes until it is cancelled, or its ``Preferences`` or the object that it
/// was registered on are released.
///
/// Releasing this object does not end the hook. Keep it only to cancel it.
public final class PreferenceHook: Sendable {
    private let end: OnceClosure

    init(_ end: @escaping @Sendable () -> Void) {
        self.end = OnceClosure(end)
    }

    /// Ends the hook. A second call does nothing.
    public func cancel() {
        end()
    }
}

/// A commit, which the hooks of namespaces receive.
public struct PreferenceCommit: Sendable, Hashable {
    /// The storage names of the changed keys in the namespace and in namespaces inside it.
    public let names: Set<String>

    /// Creates a commit, for tests of code that receives one.
    ///
    /// - Parameter names: The storage names of the changed keys.
    public init(names: Set<String>) {
        self.names = names
    }
}
