public import Dispatch

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
