#if PREFERENCES_PTHREAD_LOCK
    import Foundation
#else
    public import Synchronization
#endif

/// State that one thread at a time may access.
///
/// This is the module's only lock, so that it can be replaced in one place. `Mutex` is the fastest, but on Linux it waits
/// by a system call that ThreadSanitizer does not intercept, which makes the sanitizer report races where there are none.
/// Builds for the sanitizer define `PREFERENCES_PTHREAD_LOCK`, which selects `NSLock`, a POSIX mutex.
///
/// The lock is `@inlinable` because cached values are read in the modules of users, where generic code that is not
/// specialised takes six times as long.
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
