public import Dispatch
public import Foundation
public import PreferencesRuntime
import PreferencesSystem

/// A value that is stored as a whole and outlives the process: a document, a session, the state of a window.
///
/// ```swift
/// let session = PersistentObject<Session>(file: sessionURL)
/// session.reset(to: Session(user: "ada"))   // in memory
/// try session.save()                        // and stored
/// ```
///
/// The stored value is loaded when the object is created. ``reset(to:)`` changes the value in memory, and ``save()``
/// stores it. A value that was changed since it was last loaded or saved is also stored when the object is released,
/// when the app enters the background, and when the process exits. An external change replaces the object's value as
/// soon as the repository notifies of it; if the object has an unsaved change, it keeps that, and reports a conflict.
///
/// A stored value that cannot be read is not overwritten, unless the object was reset after the failure was reported.
///
/// An object may be used from any thread, task or actor. See <doc:PreferencesObjects>.
public final class PersistentObject<Value: Codable & Sendable>: Sendable {
    let engine: PersistentObjectEngine<Value>

    /// A closure that receives the object and an external change of its value: see
    /// ``PersistentObject/init(_:delegate:)``.
    public typealias Delegate =
        @Sendable @isolated(any) (_ object: PersistentObject, _ change: PersistentObjectChange<Value>) -> Void

    /// Creates an object over a repository, and loads its value.
    ///
    /// ```swift
    /// let session = PersistentObject(SessionRepository(service: service)) { session, change in
    ///     if change.isConflict { session.reset(to: change.new) }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - repository: The repository of the value.
    ///   - delegate: Receives the object and each external change, on its actor if it is isolated to one, or else on the
    ///     thread that has found the change; nil, the default, for none. The delegate does not keep the object alive.
    public convenience init(_ repository: some PersistentObjectRepository<Value>, delegate: Delegate? = nil) {
        self.init(PersistentObjectEngine(repository), delegate)
    }

    init(_ engine: PersistentObjectEngine<Value>, _ delegate: Delegate? = nil) {
        self.engine = engine
        engine.begin {
            guard let delegate else { return }
            let body = WatchBody<PersistentObjectChange<Value>>(delegate, receiving: self) { $0 }
            _ = engine.add(WatchQueue(DeliveryContext(body.isolation), body.call))
        }
    }

    deinit {
        engine.end()
    }

    /// The value, as it was last loaded or reset; nil if there is none.
    public var value: Value? { engine.state.withLock { $0.value }?.value }

    /// Whether the value was reset after it was last saved.
    public var hasUnsavedChange: Bool { engine.hasUnsavedChange }

    /// The reason why the stored value cannot be read; nil if it can be read, or does not exist.
    ///
    /// It is also reported by ``problems``. The stored value remains until the object is reset and saved.
    public var loadProblem: PreferenceProblem? { engine.state.withLock { $0.loadProblem } }

    /// Changes the value in memory. The stored value remains until the object is saved. The result of an update that is
    /// running is discarded.
    ///
    /// - Parameter value: The new value; nil for none: saving then removes the stored value. A file of its own remains,
    ///   and contains `null`.
    public func reset(to value: Value?) {
        engine.reset(to: value)
    }

    /// Changes the value in place, and saves it half a second later, once for all updates before that.
    ///
    /// ```swift
    /// session.update { $0?.user = "ada" }
    /// session.update { $0 = $0 ?? Session() }
    /// ```
    ///
    /// The value may be an object, whose own state the body changes: an instance of a `Codable` class that is declared
    /// `@unchecked Sendable`, or ``Archived`` for an `NSSecureCoding` class. Then change the object only in updates,
    /// which exclude each other and the copying of the value for a save. Other changes cause no save, and may be saved
    /// with the next update.
    ///
    /// A value whose encoding the body does not change is not saved. An external change that arrives during the update
    /// is loaded after it, and is a conflict if the update has changed the value. A stored value that cannot be read is
    /// not overwritten: ``reset(to:)`` permits that. A failure of the save is reported by ``problems``; the object is
    /// saved at the usual later times then. ``save()`` can be called before to save at once.
    ///
    /// The body may use the store. Watchers are notified of its changes after the update, and other objects load them
    /// then. It must not wait for a thread that updates the object. So if hooks or transactions of some preferences update
    /// the object, its updates must not change these preferences: a hook runs while no other thread can change them.
    ///
    /// - Parameter body: Changes the value; nil if there is none. It is called once, on this thread, and must not update
    ///   or save the object itself. If it throws, the changes that it has made are kept.
    /// - Returns: The result of the body.
    /// - Throws: Any error of the body.
    @discardableResult
    public func update<Result, Failure: Error>(
        _ body: (inout Value?) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try engine.update(body)
    }

    /// Stores the value, if it was changed since it was last loaded or saved. An unchanged object is not stored, so that it
    /// does not overwrite a newer value.
    ///
    /// During an update on another thread, this stores the value before it. If the object was reset during that update,
    /// this waits for its end.
    ///
    /// In a store, and in a file, the value is written when this returns. The repository receives a copy that was made by
    /// encoding and decoding the value; a value that cannot be decoded again is not stored. An external change that the
    /// object has not seen is first reported as a conflict, and then overwritten.
    ///
    /// - Throws: The problem that prevented the value from being stored. The object then still has its unsaved change,
    ///   except with ``/PreferencesRuntime/PreferenceProblem/Code/notDurable``. A stored value that has become
    ///   unreadable since it was last loaded is a problem as well: reset the object again to overwrite it.
    public func save() throws(PreferenceProblem) {
        try engine.save(isLast: false)
    }

    /// Makes saved values durable, and loads external changes, which an update on another thread does when it ends. It does
    /// not save an unsaved change.
    ///
    /// - Throws: The problem that prevented either.
    public func synchronize() throws(PreferenceProblem) {
        try engine.synchronize()
    }

    /// The problems that could not be thrown to a caller, beginning with the latest 100: a stored value that cannot be
    /// read, a conflict, an object that could not be saved when it was released.
    ///
    /// A stream ends with the object. Problems without a stream are written to standard error.
    public var problems: AsyncStream<PreferenceProblem> { engine.reporter.stream() }
}

// MARK: - Stores, preferences and files

extension PersistentObject {
    /// Creates an object that is one value of a store.
    ///
    /// ```swift
    /// let station = PersistentObject<Station>(named: "station", in: FileStore(url: url))
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name under which it is stored.
    ///   - store: The store, which may contain other values.
    ///   - delegate: Receives the object and each external change, on its actor if it is isolated to one, or else on the
    ///     thread that has found the change; nil, the default, for none. The delegate does not keep the object alive.
    public convenience init(named name: String, in store: any PreferenceStore, delegate: Delegate? = nil) {
        self.init(StoreObjectRepository(store, name), delegate: delegate)
    }

    /// Creates an object that is a key of preferences, with their hooks, migrations and watchers. Secret keys and
    /// renamed keys are not supported.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - preferences: The preferences.
    ///   - delegate: Receives the object and each external change, on its actor if it is isolated to one, or else on the
    ///     thread that has found the change; nil, the default, for none. The delegate does not keep the object alive.
    public convenience init(named name: String, in preferences: Preferences, delegate: Delegate? = nil) {
        self.init(PreferencesObjectRepository(preferences, name), delegate: delegate)
    }

    /// Creates an object that is one value of a store, under a name of a type, such as an enumeration.
    ///
    /// - Parameters:
    ///   - name: The name under which it is stored.
    ///   - store: The store, which may contain other values.
    ///   - delegate: Receives the object and each external change; nil, the default, for none.
    public convenience init(
        named name: some RawRepresentable<String>,
        in store: any PreferenceStore,
        delegate: Delegate? = nil
    ) {
        self.init(named: name.rawValue, in: store, delegate: delegate)
    }

    /// Creates an object that is a key of preferences, under a name of a type, such as an enumeration.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - preferences: The preferences.
    ///   - delegate: Receives the object and each external change; nil, the default, for none.
    public convenience init(
        named name: some RawRepresentable<String>,
        in preferences: Preferences,
        delegate: Delegate? = nil
    ) {
        self.init(named: name.rawValue, in: preferences, delegate: delegate)
    }

    /// Creates an object that has a file of its own, which contains the value as JSON.
    ///
    /// The file is read and written as a `FileStore` does: replaced as a whole, locked among processes, watched, and
    /// set aside if it is damaged and has to be overwritten. The first save creates it. It contains `null` if the
    /// object was reset to nil.
    ///
    /// - Parameters:
    ///   - url: The file URL of the file, which need not exist yet. The program ends with any other URL.
    ///   - delegate: Receives the object and each external change, on its actor if it is isolated to one, or else on the
    ///     thread that has found the change; nil, the default, for none. The delegate does not keep the object alive.
    public convenience init(file url: URL, delegate: Delegate? = nil) {
        let store = FileStore(singleValueAt: url)
        self.init(StoreObjectRepository(store, "value", isAlone: true), delegate: delegate)
    }

    /// Creates an object that has a file of its own, as ``init(file:delegate:)`` does.
    ///
    /// ```swift
    /// let session = PersistentObject<Session>(path: "session.json")
    /// ```
    ///
    /// - Parameters:
    ///   - path: The path of the file, which need not exist yet; a relative one begins in the current folder.
    ///   - delegate: Receives the object and each external change, on its actor if it is isolated to one, or else on the
    ///     thread that has found the change; nil, the default, for none. The delegate does not keep the object alive.
    public convenience init(path: String, delegate: Delegate? = nil) {
        self.init(file: URL(filePath: path), delegate: delegate)
    }
}

// MARK: - External changes

extension PersistentObject {
    /// Calls a body after an external change has replaced the object's value, or is in conflict with it.
    ///
    /// ```swift
    /// session.watch { change in show(change.new) }
    /// ```
    ///
    /// A body that is isolated to an actor, such as the main actor, runs on that actor. Any other body runs on the
    /// thread that has found the change. One call runs at a time, in the order of the changes. ``reset(to:)`` and
    /// ``save()`` of this object do not cause calls.
    ///
    /// - Parameters:
    ///   - isolation: The actor on which the body runs; by default the caller's.
    ///   - body: Receives the change.
    /// - Returns: The watcher, which can be cancelled. It need not be kept.
    @discardableResult
    public func watch(
        isolation: isolated (any Actor)? = #isolation,
        @_inheritActorContext _ body: sending @escaping @isolated(any) (PersistentObjectChange<Value>) -> Void
    ) -> PersistentObjectWatcher {
        let body = WatchBody(body)
        return engine.add(WatchQueue(DeliveryContext(body.isolation ?? isolation), body.call))
    }

    /// Calls a body on a queue after an external change has replaced the object's value, or is in conflict with it.
    ///
    /// - Parameters:
    ///   - queue: The queue on which the body runs. One call runs at a time, also on a concurrent queue.
    ///   - body: Receives the change.
    /// - Returns: The watcher, which can be cancelled. It need not be kept.
    @discardableResult
    public func watch(
        on queue: DispatchQueue,
        _ body: @escaping @Sendable (PersistentObjectChange<Value>) -> Void
    ) -> PersistentObjectWatcher {
        engine.add(WatchQueue(.queue(queue), body))
    }

    /// Returns the external changes from now on.
    ///
    /// ```swift
    /// for await change in session.changes() { show(change.new) }
    /// ```
    ///
    /// The sequence ends when its task is cancelled, or with the object, which it does not retain. Each call returns a
    /// new sequence, for one consumer.
    ///
    /// - Parameter buffering: The changes that are buffered for a slow consumer; all by default.
    public func changes(
        buffering: PreferenceChangeBuffering = .unbounded
    ) -> some AsyncSequence<PersistentObjectChange<Value>, Never> & Sendable {
        let (stream, continuation) = AsyncStream.makeStream(
            of: PersistentObjectChange<Value>.self,
            bufferingPolicy: buffering == .newest ? .bufferingNewest(1) : .unbounded
        )
        let watcher = engine.add(WatchQueue(.writer) { continuation.yield($0) }, onEnd: { continuation.finish() })
        continuation.onTermination = { _ in watcher.cancel() }
        return stream
    }
}

/// An external change of the stored value of a ``PersistentObject``.
public struct PersistentObjectChange<Value: Sendable>: Sendable {
    /// The object's value when it found the change.
    public let old: Value?
    /// The stored value, which is also the object's value unless ``isConflict`` is true.
    public let new: Value?
    /// Whether the object has an unsaved change, which it keeps: ``old`` is still its value, and is saved next. To use
    /// ``new`` instead, reset the object to it.
    public let isConflict: Bool
    /// The origin of the change: ``/PreferencesRuntime/PreferenceChangeOrigin/external``, or the reason that the store has
    /// reported, such as iCloud's.
    public let origin: PreferenceChangeOrigin

    /// Creates a change, for tests of code that receives one.
    ///
    /// - Parameters:
    ///   - old: The object's value.
    ///   - new: The stored value.
    ///   - isConflict: Whether the object keeps an unsaved change.
    ///   - origin: The origin of the change.
    public init(old: Value?, new: Value?, isConflict: Bool = false, origin: PreferenceChangeOrigin = .external) {
        self.old = old
        self.new = new
        self.isConflict = isConflict
        self.origin = origin
    }
}

extension PersistentObjectChange: Equatable where Value: Equatable {}
extension PersistentObjectChange: Hashable where Value: Hashable {}

/// A registered watcher of a ``PersistentObject``. It lasts until it is cancelled or the object is released, and need
/// not be kept.
public final class PersistentObjectWatcher: Sendable {
    private let end: OnceClosure

    init(_ end: @escaping @Sendable () -> Void) {
        self.end = OnceClosure(end)
    }

    /// Ends the watcher: its body does not start again. This does not wait for a call that runs on another thread.
    /// Further calls do nothing.
    public func cancel() {
        end()
    }
}
