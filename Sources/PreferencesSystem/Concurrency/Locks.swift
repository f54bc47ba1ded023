public import Synchronization

#if PREFERENCES_PTHREAD_LOCK
    import Foundation
#endif

/// State that one thread at a time can access.
///
/// This is the module's only lock, so that it can be replaced in one place. `Mutex` is the fastest, but on Linux it
/// waits with a system call that ThreadSanitizer does not intercept, which makes the sanitizer report false races.
/// Builds for the sanitizer define `PREFERENCES_PTHREAD_LOCK`, which selects `NSLock`, a POSIX mutex.
///
/// The lock is `@inlinable` because clients' modules read cached values inline; unspecialised generic code takes six
/// times as long.
@frozen
@usableFromInline
package struct Locked<State>: ~Copyable, Sendable {
    #if PREFERENCES_PTHREAD_LOCK
        @usableFromInline let storage: LockedStorage<State>

        @usableFromInline
        package init(_ initial: sending State) {
            storage = LockedStorage(initial)
        }

        @usableFromInline
        package func withLock<Result, Failure: Error>(
            _ body: (inout sending State) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result {
            storage.lock.lock()
            defer { storage.lock.unlock() }
            return try body(&storage.state)
        }

        /// Runs a body unless the lock is held, and returns whether it was run.
        package func withLockIfAvailable(_ body: (inout sending State) -> Void) -> Bool {
            guard storage.lock.try() else { return false }
            defer { storage.lock.unlock() }
            body(&storage.state)
            return true
        }
    #else
        @usableFromInline let mutex: Mutex<State>

        @inlinable
        package init(_ initial: consuming sending State) {
            mutex = Mutex(initial)
        }

        @inlinable
        package func withLock<Result, Failure: Error>(
            _ body: (inout sending State) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result {
            try mutex.withLock(body)
        }

        /// Runs a body unless the lock is held, and returns whether it was run.
        package func withLockIfAvailable(_ body: (inout sending State) -> Void) -> Bool {
            mutex.withLockIfAvailable { body(&$0) } != nil
        }
    #endif
}

#if PREFERENCES_PTHREAD_LOCK
    @usableFromInline
    final class LockedStorage<State>: @unchecked Sendable {  // `state` is accessed only while `lock` is held.
        let lock = NSLock()
        var state: State

        init(_ state: State) {
            self.state = state
        }
    }
#endif

/// A lock that the thread that holds it can take again.
@frozen
@usableFromInline
package struct RecursiveLock: ~Copyable, Sendable {
    @usableFromInline let lock: Locked<Void>
    /// The thread that holds the lock; 0 if none does. Relaxed accesses suffice: a thread finds its own identifier only
    /// if it has stored it itself.
    @usableFromInline let owner: Atomic<UInt>

    /// Creates a lock that no thread holds.
    @inlinable
    package init() {
        lock = Locked(())
        owner = Atomic(0)
    }

    /// Whether the calling thread holds the lock.
    @inlinable
    package var isHeldByThisThread: Bool { owner.load(ordering: .relaxed) == ThreadIdentity.current }

    /// Runs a body while holding the lock.
    @inlinable
    @inline(__always)
    package func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        let thread = ThreadIdentity.current
        if owner.load(ordering: .relaxed) == thread { return try body() }
        var result: Swift.Result<Result, Failure>?
        lock.withLock { _ in
            owner.store(thread, ordering: .relaxed)
            result = Swift.Result(catching: body)
            owner.store(0, ordering: .relaxed)
        }
        return try result!.get()
    }

    /// Runs a body while holding the lock, unless a thread holds it already, even the calling one.
    ///
    /// - Returns: Whether the body was run.
    package func withLockIfAvailable(_ body: () -> Void) -> Bool {
        guard !isHeldByThisThread else { return false }
        return lock.withLockIfAvailable { _ in
            owner.store(ThreadIdentity.current, ordering: .relaxed)
            body()
            owner.store(0, ordering: .relaxed)
        }
    }
}

/// Identifies the threads of this process.
@usableFromInline
package enum ThreadIdentity {
    /// The identifier of the calling thread; never 0. The identifier of a thread that has ended can be reused.
    @inlinable
    package static var current: UInt {
        #if canImport(Darwin) || canImport(Musl)
            UInt(bitPattern: pthread_self())
        #else
            pthread_self()
        #endif
    }
}

/// A closure that runs only at the first call, and is then released.
package final class OnceClosure: Sendable {
    private let body: Locked<(@Sendable () -> Void)?>

    package init(_ body: @escaping @Sendable () -> Void) {
        self.body = Locked(body)
    }

    package func callAsFunction() {
        let body = body.withLock { body in
            defer { body = nil }
            return body
        }
        body?()
    }
}
