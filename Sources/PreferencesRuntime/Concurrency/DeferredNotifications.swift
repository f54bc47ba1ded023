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
final class DeferredNotifications {
    private var depth = 0
    /// Nil where the work is done. The next is at ``head``.
    private var deferred: [(() -> Void)?] = []
    private var head = 0

    /// Begins to defer.
    static func begin() {
        current.depth += 1
    }

    /// Ends deferring, and does what was deferred if this was the outermost ``begin()``.
    ///
    /// - Parameter next: Work that comes before what was deferred since ``begin()``.
    static func end(then next: (() -> Void)? = nil) {
        let current = current
        if let next { current.insert(next) }
        current.depth -= 1
        if current.depth == 0 { current.work() }
    }

    /// Does something now, or when the thread ends deferring.
    static func perform(_ body: @escaping () -> Void) {
        let current = current
        if current.depth == 0 { body() } else { current.deferred.append(body) }
    }

    private func insert(_ body: @escaping () -> Void) {
        if head > 0 {
            head -= 1
            deferred[head] = body
        } else {
            deferred.insert(body, at: 0)
        }
    }

    private func work() {
        while head < deferred.count {
            let body = deferred[head].take()
            head += 1
            if head == deferred.count { (deferred, head) = ([], 0) }
            body?()
        }
    }

    private static var current: DeferredNotifications {
        if let pointer = pthread_getspecific(key) {
            return Unmanaged<DeferredNotifications>.fromOpaque(pointer).takeUnretainedValue()
        }
        let new = DeferredNotifications()
        pthread_setspecific(key, Unmanaged.passRetained(new).toOpaque())
        return new
    }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        #if canImport(Darwin)
            pthread_key_create(&key) { Unmanaged<DeferredNotifications>.fromOpaque($0).release() }
        #else
            pthread_key_create(&key) { $0.map { Unmanaged<DeferredNotifications>.fromOpaque($0).release() } }
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
        DeferredNotifications.begin()
        defer { DeferredNotifications.end() }
        return try state.withLock(body)
    }
}
