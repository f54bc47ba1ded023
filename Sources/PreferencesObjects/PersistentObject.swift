public import PreferencesRuntime
public import Dispatch
public import Foundation

/// One whole value that outlives the program: a document, a session, the state of a window.
///
/// ```swift
/// let session = PersistentObject<Session>(file: sessionURL)
/// session.reset(to: Session(user: "ada"))   // in memory
/// try session.save()                        // and stored
/// ```
///
/// The stored value is loaded when the object is made. ``reset(to:)`` changes the one in memory, which is stored by
/// ``save()`` and, if it was changed since it was last loaded or saved, when the object is released, when the app goes
/// to the background, and when the program ends. What others store takes the object's place as soon as the repository
/// tells of it, unless the object has an unsaved change of its own: it keeps that, and says so.
///
/// A stored value that cannot be read is never overwritten, unless the object was reset after that had been found out.
///
/// It may be used from any thread, task or actor. See <doc:PreferencesObjects>.
public final class PersistentObject<Value: Codable & Sendable>: Sendable {
    let engine: PersistentObjectEngine<Value>

    /// Makes an object over a repository, and loads its value.
    ///
    /// - Parameter repository: Where the value is kept.
    public init(_ repository: some PersistentObjectRepository<Value>) {
        engine = PersistentObjectEngine(repository)
        engine.begin()
    }

    deinit {
        engine.end()
    }

    /// The value, as it was loaded or reset last; nil where there is none.
    public var value: Value? { engine.state.withLock { $0.value }?.value }

    /// Whether the value was reset, and not saved since.
    public var hasUnsavedChange: Bool { engine.hasUnsavedChange }

    /// Why the stored value cannot be read; nil where it can, or there is none.
    ///
    /// It is told through ``problems``, too. What is stored stays as it is until the object is reset and saved.
    public var loadProblem: PreferenceProblem? { engine.state.withLock { $0.loadProblem } }

    /// Changes the value in memory. What is stored stays as it is until the object is saved.
    ///
    /// - Parameter value: The new value; nil for none, and then saving removes what is stored. A file of its own stays, with
    ///   `null` in it.
    public func reset(to value: Value?) {
        engine.reset(to: value)
    }

    /// Stores the value, if it was reset since it was last loaded or saved. Otherwise does nothing, so that an object
    /// that nobody has changed never overwrites what others have stored since.
    ///
    /// In a store, and in a file, it is written when this returns. Where others have stored something that the object
    /// has not seen, that is told first, as a conflict, and then overwritten: of two changes the one that is saved last
    /// stays.
    ///
    /// - Throws: The problem that kept it from being stored; it is unsaved still then, except with
    ///   ``PreferenceProblem/Code/notDurable``. Also where what is stored has become unreadable since it was last
    ///   loaded: reset the object again to have it overwritten.
    public func save() throws(PreferenceProblem) {
        try engine.save(isLast: false)
    }

    /// Has the repository make durable what was saved, and looks for what others have stored. An unsaved change is not
    /// saved by that.
    ///
    /// - Throws: The problem that kept it from either.
    public func synchronize() throws(PreferenceProblem) {
        try engine.synchronize()
    }

    /// Problems that nothing could be thrown for, as they happen, after the latest 100 from before: a stored value that
    /// cannot be read, a conflict, an object that could not be saved when it was released.
    ///
    /// A stream ends with the object. Where nobody has a stream, problems are written to standard error.
    public var problems: AsyncStream<PreferenceProblem> { engine.reporter.stream() }
}

/// The places that objects are kept in without a repository of one's own.
extension PersistentObject {
    /// Makes an object that is one value of a store.
    ///
    /// ```swift
    /// let station = PersistentObject<Station>(named: "station", in: FileStore(url: url))
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name that it is kept under.
    ///   - store: The store, which may have other values as well.
    public convenience init(named name: String, in store: any PreferenceStore) {
        self.init(StoreObjectRepository(store, name))
    }

    /// Makes an object that is a key of preferences, which their hooks, migrations and watchers have to do with as with
    /// any other. A key that is secret or was renamed is none for this.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - preferences: The preferences.
    public convenience init(named name: String, in preferences: Preferences) {
        self.init(PreferencesObjectRepository(preferences, name))
    }

    /// Makes an object that has a file of its own: the value as JSON.
    ///
    /// The file is read and written as that of a ``FileStore`` is: never half written, locked among programs, watched,
    /// and set aside where it is damaged and has to be overwritten. It is made by the first save, and has `null` in it
    /// when the object was reset to nil.
    ///
    /// - Parameter url: Where the file is, or will be. It must be a file URL; the program ends with another.
    public convenience init(file url: URL) {
        let store = FileStore(singleValueAt: url)
        self.init(StoreObjectRepository(store, "value", isAlone: true))
    }
}

/// Being told of what others store.
extension PersistentObject {
    /// Has a body called after others have changed what is stored, and the object has taken that over.
    ///
    /// ```swift
    /// session.watch { change in show(change.new) }
    /// ```
    ///
    /// Written on an actor, the main actor above all, the body runs on that. Otherwise it runs on the thread that has
    /// seen the change. It never runs twice at the same time, and sees the changes in their order. What ``reset(to:)``
    /// and ``save()`` of this object do is not told.
    ///
    /// - Parameters:
    ///   - isolation: The actor that it is registered on, by default the one that this is called on.
    ///   - body: Is given the change.
    /// - Returns: What cancels it. It need not be kept.
    @discardableResult
    public func watch(
        isolation: isolated (any Actor)? = #isolation,
        @_inheritActorContext _ body: sending @escaping @isolated(any) (PersistentObjectChange<Value>) -> Void
    ) -> PersistentObjectWatcher {
        let body = WatchBody(body)
        return engine.add(WatchQueue(DeliveryContext(body.isolation ?? isolation), body.call))
    }

    /// Has a body called on a queue after others have changed what is stored, and the object has taken that over.
    ///
    /// - Parameters:
    ///   - queue: Where the body runs. On a concurrent queue, too, it does not run twice at the same time.
    ///   - body: Is given the change.
    /// - Returns: What cancels it. It need not be kept.
    @discardableResult
    public func watch(
        on queue: DispatchQueue,
        _ body: @escaping @Sendable (PersistentObjectChange<Value>) -> Void
    ) -> PersistentObjectWatcher {
        engine.add(WatchQueue(.queue(queue), body))
    }

    /// What others make of the stored value from now on.
    ///
    /// ```swift
    /// for await change in session.changes() { show(change.new) }
    /// ```
    ///
    /// It ends when the task that reads it is cancelled, or with the object, which it does not keep alive. Each call
    /// makes a sequence of its own, for one consumer.
    ///
    /// - Parameter buffering: Which changes wait for a slow consumer: all, by default.
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

/// What others have made of the value that a ``PersistentObject`` keeps.
public struct PersistentObjectChange<Value: Sendable>: Sendable {
    /// The object's value when the change was seen.
    public let old: Value?
    /// What is stored now. It is the object's value, too, unless ``isConflict``.
    public let new: Value?
    /// Whether the object had a change of its own that was not saved, and keeps that: ``old`` is its value still, and
    /// is what is saved next. To have ``new`` instead, reset the object to it.
    public let isConflict: Bool

    /// Makes a change, as tests of what is done with one do.
    ///
    /// - Parameters:
    ///   - old: The object's value when the change was seen.
    ///   - new: What is stored now.
    ///   - isConflict: Whether the object keeps a change of its own.
    public init(old: Value?, new: Value?, isConflict: Bool = false) {
        self.old = old
        self.new = new
        self.isConflict = isConflict
    }
}

extension PersistentObjectChange: Equatable where Value: Equatable {}
extension PersistentObjectChange: Hashable where Value: Hashable {}

/// A registered watcher of a ``PersistentObject``, which is told of changes until it is cancelled or the object is
/// gone. It lives on without this value: there is no need to keep it, other than to cancel.
public final class PersistentObjectWatcher: Sendable {
    private let end: OnceClosure

    init(_ end: @escaping @Sendable () -> Void) {
        self.end = OnceClosure(end)
    }

    /// Ends it: its body does not start again. A call that has started on another thread is not waited for. A second
    /// call does nothing.
    public func cancel() {
        end()
    }
}
