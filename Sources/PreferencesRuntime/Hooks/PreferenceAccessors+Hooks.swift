import PreferencesSystem

/// Taking part in changes: what is done with a value before it is committed, and who is told in the course of that.
///
/// For every change the order is: the old value is read, the new one is processed and checked, ``willChange(of:_:)``,
/// the namespaces' ``PreferenceNamespace/willCommit(_:)`` from the outermost to the innermost, the commit, their
/// ``PreferenceNamespace/didCommit(_:)`` from the innermost to the outermost, ``didChange(of:_:)``. Watchers come after
/// all that. A transaction goes through it once, at its end, with all its changes; only processing and checking come
/// where a key is set.
///
/// Hooks are called on the thread that makes the change, while no other can make one. They may read and set keys. What
/// one sets that is called before a commit is committed before it, or with it where it is a transaction's: one that sets
/// the very key that is being changed has the last word in a transaction, and in ``update(_:_:)``, but not on a setter.
/// To have a value changed on its way, process it. A hook is not called for what it sets itself, as a property's
/// observers are not, nor for what other hooks set in the course of that. What only wants to know of changes is better a
/// watcher. Changes that others make in the store do not pass here.
extension PreferenceAccessors {
    /// Has values processed that a key is to be set to.
    ///
    /// ```swift
    /// preferences.user.processValues(of: \.name) { $0.trimmingCharacters(in: .whitespaces) }
    /// ```
    ///
    /// Stored values and defaults are not. Of several processors of one key each is given what the one before it made.
    ///
    /// - Parameters:
    ///   - key: The key. One to a computed property over several, into a value, or to what a transformation makes of one, is
    ///     reported as ``PreferenceProblem/Code/notAKey``, and its values are not processed.
    ///   - body: Gives what the key is to be set to instead. It must not use these preferences.
    /// - Returns: What ends it.
    @discardableResult
    public func processValues<Value>(
        of key: ReferenceWritableKeyPath<Self, Value>,
        _ body: @escaping @Sendable (Value) -> Value
    ) -> PreferenceHook {
        addProcessor(of: key) { _, new in body(new) }
    }

    /// Has values processed that a key is to be set to, with the value that it has.
    ///
    /// ```swift
    /// preferences.game.processValues(of: \.highScore) { old, new in max(old, new) }
    /// ```
    ///
    /// In a transaction that is the value which the transaction has given it so far. It is read through this home: where
    /// that is an object, values are processed for as long as it is there. All else is as in
    /// ``processValues(of:_:)-(_,(Value)->Value)``.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - body: Gives what the key is to be set to instead. It must not use these preferences.
    /// - Returns: What ends it.
    @discardableResult
    public func processValues<Value: Sendable>(
        of key: any ReferenceWritableKeyPath<Self, Value> & Sendable,
        _ body: @escaping @Sendable (_ old: Value, _ new: Value) -> Value
    ) -> PreferenceHook {
        let read = AccessorReader(self, key)
        return addProcessor(of: key) { preferences, new in read(preferences).map { body($0, new) } ?? new }
    }

    private func addProcessor<Value>(
        of key: ReferenceWritableKeyPath<Self, Value>,
        _ process: @escaping @Sendable (Preferences, _ new: Value) -> Value
    ) -> PreferenceHook {
        guard let entry = KeyPathProbe.entry(in: preferences, readAs: Value.self, { _ = self[keyPath: key] }) else {
            preferences.reportAsNotOneKey(key, "its values are not processed")
            return PreferenceHook {}
        }
        return preferences.hooks.addProcessor(of: entry) { preferences, value in
            (value as? Value).map { process(preferences, $0) } ?? value
        }
    }

    /// Has a body called before each change of a key, with the value that it has and the one that it gets.
    ///
    /// - Parameters:
    ///   - key: The key, or a computed property over several.
    ///   - body: What is called.
    /// - Returns: What ends it.
    @discardableResult
    public func willChange<Value: Sendable>(
        of key: any KeyPath<Self, Value> & Sendable,
        _ body: @escaping @Sendable (PreferenceChange<Value>) -> Void
    ) -> PreferenceHook {
        addHook(.before, key, body)
    }

    /// Has a body called after each change of a key, with the value that it had and the one that it has.
    ///
    /// - Parameters:
    ///   - key: The key, or a computed property over several.
    ///   - body: What is called.
    /// - Returns: What ends it.
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
        preferences.reportUnless(
            [key],
            leadToKeys: !entries.isEmpty,
            "the hook will not be called",
            ofNamespace: "it has hooks of its own"
        )
        let names = Set(entries.flatMap(\.subjects))
        let read = AccessorReader(self, key)
        let hook = Hooks.KeyHook(moment: moment) { preferences, old, new in
            let session = preferences.session
            var values: (old: Value?, new: Value?)
            let entries = KeyPathProbe.entries(in: preferences) {
                values.old = session.with(old, of: preferences) { read(preferences) }
                values.new = session.with(new, of: preferences) { read(preferences) }
            }
            guard let old = values.old, let new = values.new else { return nil }
            return Hooks.Look(entries: entries) { body(PreferenceChange(old: old, new: new)) }
        }
        return preferences.hooks.add(hook, readFrom: names)
    }
}

extension PreferenceNamespace {
    /// Has a body called before each commit that changes keys of the namespace, or of one inside it: once for a
    /// transaction, whatever it changes.
    ///
    /// - Parameter body: Is given what the commit is about to change.
    /// - Returns: What ends it.
    @discardableResult
    public func willCommit(_ body: @escaping @Sendable (PreferenceCommit) -> Void) -> PreferenceHook {
        preferences.hooks.add(Hooks.CommitHook(moment: .before, namespace: Self.storageName, call: body))
    }

    /// Has a body called after each commit that has changed keys of the namespace, or of one inside it: once for a
    /// transaction, whatever it has changed.
    ///
    /// - Parameter body: Is given what the commit has changed.
    /// - Returns: What ends it.
    @discardableResult
    public func didCommit(_ body: @escaping @Sendable (PreferenceCommit) -> Void) -> PreferenceHook {
        preferences.hooks.add(Hooks.CommitHook(moment: .after, namespace: Self.storageName, call: body))
    }
}

extension Preferences {
    /// Has a body called before each commit, as the outermost namespace's ``PreferenceNamespace/willCommit(_:)``.
    ///
    /// - Parameter body: Is given what the commit is about to change.
    /// - Returns: What ends it.
    @discardableResult
    public func willCommit(_ body: @escaping @Sendable (PreferenceCommit) -> Void) -> PreferenceHook {
        hooks.add(Hooks.CommitHook(moment: .before, namespace: nil, call: body))
    }

    /// Has a body called after each commit, as the outermost namespace's ``PreferenceNamespace/didCommit(_:)``.
    ///
    /// - Parameter body: Is given what the commit has changed.
    /// - Returns: What ends it.
    @discardableResult
    public func didCommit(_ body: @escaping @Sendable (PreferenceCommit) -> Void) -> PreferenceHook {
        hooks.add(Hooks.CommitHook(moment: .after, namespace: nil, call: body))
    }
}

/// Something that takes part in changes until it is cancelled, or its ``Preferences`` or the object that it was registered
/// on are gone. It lives on without this value: there is no need to keep it, other than to cancel.
public final class PreferenceHook: Sendable {
    private let end: OnceClosure

    init(_ end: @escaping @Sendable () -> Void) {
        self.end = OnceClosure(end)
    }

    /// Ends it. A second call does nothing.
    public func cancel() {
        end()
    }
}

/// A commit, as the hooks of namespaces are told of it.
public struct PreferenceCommit: Sendable, Hashable {
    /// The storage names of the namespace's keys, and of those inside it, whose values it changes.
    public let names: Set<String>

    /// Makes a commit, as tests of what is done with one do.
    ///
    /// - Parameter names: The storage names of the keys that it changes.
    public init(names: Set<String>) {
        self.names = names
    }
}

/// A closure that runs at the first call alone, and is let go of then.
final class OnceClosure: Sendable {
    private let body: Locked<(@Sendable () -> Void)?>

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = Locked(body)
    }

    func callAsFunction() {
        let body = body.withLock { body in
            defer { body = nil }
            return body
        }
        body?()
    }
}
