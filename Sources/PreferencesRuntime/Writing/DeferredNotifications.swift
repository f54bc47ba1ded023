import PreferencesSystem
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Work that the calling thread defers until it holds no lock of this module: notifications, and releases of values that
/// belong to users.
///
/// A store notifies its observers while the thread that makes the change holds the lock of its `Preferences`. Other
/// `Preferences` over that store are notified on the same thread, and their watchers must not be called before that lock is
/// free.
struct DeferredNotifications {
    private struct Thread {
        var depth = 0
        /// Nil where the work is done. The next is at ``head``.
        var deferred: [(() -> Void)?] = []
        var head = 0
    }

    /// The state of the calling thread, which nothing else accesses: begun and ended so often that it is not an object, whose
    /// references are counted.
    private let thread: UnsafeMutablePointer<Thread>

    /// Begins to defer.
    @discardableResult
    static func begin() -> DeferredNotifications {
        let current = current
        current.thread.pointee.depth += 1
        return current
    }

    /// Ends deferring, and does what was deferred if this was the outermost ``begin()``.
    static func end() {
        current.end()
    }

    /// Ends deferring, and does what was deferred if this was the outermost ``begin()``.
    func end() {
        thread.pointee.depth -= 1
        if thread.pointee.depth == 0, !thread.pointee.deferred.isEmpty { work() }
    }

    /// Ends deferring, and does what was deferred if this was the outermost ``begin()``.
    ///
    /// - Parameter next: Work that comes before what was deferred since ``begin()``.
    func end(then next: @escaping () -> Void) {
        insert(next)
        end()
    }

    /// Ends deferring, which must be the outermost ``begin()``.
    ///
    /// - Parameter next: Work that comes before what was deferred.
    func endEarly(_ next: () -> Void) {
        thread.pointee.depth -= 1
        next()
        if !thread.pointee.deferred.isEmpty { work() }
    }

    /// Whether work would be done at once if ``end()`` was called.
    var isOutermost: Bool { thread.pointee.depth == 1 }

    /// Does something now, or when the thread ends deferring.
    static func perform(_ body: @escaping () -> Void) {
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

    private func work() {
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

/// A value, object or closure of the user's, for state that a ``LockedReferences`` protects.
final class UserReference<Value: Sendable>: Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }

    deinit {
        let value = value
        DeferredNotifications.perform { withExtendedLifetime(value) {} }
    }
}

/// State that holds values, objects and closures of users, each in a ``UserReference``, and that one thread at a time may
/// access.
///
/// The last release of such a thing can run any code, which can want this very lock. So what a body removes from the state
/// is released only after the lock, and after all locks that the thread holds around it which defer notifications.
struct LockedReferences<State>: ~Copyable, Sendable {
    private let state: Locked<State>

    init(_ initial: sending State) {
        state = Locked(initial)
    }

    func withLock<Result, Failure: Error>(
        _ body: (inout sending State) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        let deferral = DeferredNotifications.begin()
        defer { deferral.end() }
        return try state.withLock(body)
    }
}

/// A number that any thread may count up or down, and read at the cost of one load.
struct AtomicCounter: ~Copyable, Sendable {
    private let count = Atomic<Int>(0)

    /// Whether the number is 0. Orders no other memory access.
    var isZero: Bool { count.load(ordering: .relaxed) == 0 }

    /// The number. What a thread has written before it counted is seen after this.
    var value: Int { count.load(ordering: .acquiring) }

    /// - Returns: The new number.
    @discardableResult
    func increment() -> Int {
        count.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue
    }

    func decrement() {
        count.wrappingSubtract(1, ordering: .releasing)
    }
}
