import PreferencesSystem

/// Work that the calling thread defers until it holds no lock of this module: notifications, and releases of user
/// values.
///
/// A store notifies its observers while the thread that makes the change holds the lock of its `Preferences`. Other
/// `Preferences` over the store are notified on the same thread, and their watchers must not be called before that lock
/// is released.
package struct DeferredNotifications {
    private struct Thread {
        var depth = 0
        /// The work; nil for items that have started. The next item is at ``head``.
        var deferred: [(() -> Void)?] = []
        var head = 0
    }

    /// The state of the calling thread, which no other thread accesses. It is not an object, since counting references
    /// would be too slow for something that begins and ends so often.
    private let thread: UnsafeMutablePointer<Thread>

    /// Begins deferring work.
    @discardableResult
    package static func begin() -> DeferredNotifications {
        let current = current
        current.thread.pointee.depth += 1
        return current
    }

    /// Ends deferring. If this balances the outermost ``begin()``, runs the deferred work.
    package static func end() {
        current.end()
    }

    /// Ends deferring. If this balances the outermost ``begin()``, runs the deferred work.
    package func end() {
        thread.pointee.depth -= 1
        if thread.pointee.depth == 0, !thread.pointee.deferred.isEmpty { runDeferredWork() }
    }

    /// Ends deferring. If this balances the outermost ``begin()``, runs the deferred work.
    ///
    /// - Parameter next: Work to run before all deferred work.
    package func end(then next: @escaping () -> Void) {
        insert(next)
        end()
    }

    /// Ends deferring, and runs the deferred work. Must balance the outermost ``begin()``.
    ///
    /// - Parameter next: Work to run before the deferred work.
    func endEarly(_ next: () -> Void) {
        thread.pointee.depth -= 1
        next()
        if !thread.pointee.deferred.isEmpty { runDeferredWork() }
    }

    /// Whether ``end()`` would run the deferred work.
    var isOutermost: Bool { thread.pointee.depth == 1 }

    /// Runs a body now, or when the thread ends deferring.
    package static func perform(_ body: @escaping () -> Void) {
        let thread = current.thread
        if thread.pointee.depth == 0 { body() } else { thread.pointee.deferred.append(body) }
    }

    private func insert(_ body: @escaping () -> Void) {
        if thread.pointee.head > 0 {
            thread.pointee.head -= 1
            thread.pointee.deferred[thread.pointee.head] = body
        } else {
            thread.pointee.deferred.insert(body, at: 0)
        }
    }

    private func runDeferredWork() {
        while thread.pointee.head < thread.pointee.deferred.count {
            let body = thread.pointee.deferred[thread.pointee.head].take()
            thread.pointee.head += 1
            if thread.pointee.head == thread.pointee.deferred.count {
                (thread.pointee.deferred, thread.pointee.head) = ([], 0)
            }
            body?()
        }
    }

    private static var current: DeferredNotifications {
        if let pointer = pthread_getspecific(key) {
            return DeferredNotifications(thread: pointer.assumingMemoryBound(to: Thread.self))
        }
        let new = UnsafeMutablePointer<Thread>.allocate(capacity: 1)
        new.initialize(to: Thread())
        pthread_setspecific(key, new)
        return DeferredNotifications(thread: new)
    }

    private static let key: pthread_key_t = {
        func free(_ pointer: UnsafeMutableRawPointer) {
            let thread = pointer.assumingMemoryBound(to: Thread.self)
            thread.deinitialize(count: 1)
            thread.deallocate()
        }
        var key = pthread_key_t()
        #if canImport(Darwin)
            pthread_key_create(&key) { free($0) }
        #else
            pthread_key_create(&key) { $0.map { free($0) } }
        #endif
        return key
    }()
}

/// A reference to a user's value, object or closure, for state that a ``LockedReferences`` protects.
package final class UserReference<Value: Sendable>: Sendable {
    package let value: Value

    package init(_ value: Value) {
        self.value = value
    }

    deinit {
        let value = value
        DeferredNotifications.perform { withExtendedLifetime(value) {} }
    }
}

/// State that a lock protects, and that contains users' values, objects and closures, each in a ``UserReference``.
///
/// Releasing such a value can run any code, which may need the same lock. Values that a body removes from the state are
/// therefore released after the lock, and after all locks around it that defer notifications.
package struct LockedReferences<State>: ~Copyable, Sendable {
    private let state: Locked<State>

    package init(_ initial: sending State) {
        state = Locked(initial)
    }

    package func withLock<Result, Failure: Error>(
        _ body: (inout sending State) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        let deferral = DeferredNotifications.begin()
        defer { deferral.end() }
        return try state.withLock(body)
    }
}
