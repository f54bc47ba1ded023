/// What Core Data offers of one managed object and its context.
package protocol ManagedMedium: Sendable {
    /// The object's entity, for people.
    var entityName: String { get }

    /// The names of the entity's attributes. From any thread, as the next.
    var names: Set<String> { get }

    /// Nil for what is none of ``names``.
    func attribute(named name: String) -> ManagedAttribute?

    /// Whether the context is that of the main thread, and this is another. Waiting for it could be for ever.
    var isOfAnotherThread: Bool { get }

    /// Runs a body on the context's queue, at once where this is called from there already.
    ///
    /// - Throws: What the body throws.
    func onQueue<Result>(_ body: () throws -> Result) throws -> Result

    /// Runs a body soon, when the queue is free, on a thread that may use the context.
    func afterwards(_ body: @escaping @Sendable () -> Void)

    // MARK: On the queue

    /// Whether the object is in its context, and not deleted.
    var isAlive: Bool { get }

    /// Nil for all attributes where the object turns out to be deleted; ``isAlive`` is false then.
    func value(of name: String) -> Any?

    /// Ends the program for an object that the attribute's type does not take.
    func setValue(_ object: Any?, of name: String)

    /// What the model has against the object as it is now.
    func validate() -> [ManagedFault]

    /// Has the context tell of what has changed.
    func processChanges()

    /// Saves the context, if anything in it has changed.
    func save() throws

    /// Has the object take what others have saved, but for what was set since the last ``save()``.
    func refresh()

    // MARK: From any thread

    /// Has a handler told, on the queue, of attributes that have changed; nil for any.
    func observe(_ handler: @escaping @Sendable (_ names: Set<String>?) -> Void) -> PreferenceStoreObservation
}
