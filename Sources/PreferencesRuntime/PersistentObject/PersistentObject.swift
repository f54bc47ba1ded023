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
/// It may be used from any thread, task or actor. See <doc:WholeValues>.
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
