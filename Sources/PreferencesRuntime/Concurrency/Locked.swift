#if PREFERENCES_PTHREAD_LOCK
    #if canImport(Darwin)
        import Darwin
    #elseif canImport(Musl)
        import Musl
    #else
        import Glibc
    #endif
#else
    public import Synchronization
#endif

/// State that one thread at a time may touch.
///
/// The only lock of this module, so that it can be exchanged in one place: `Mutex` is the fastest, but on Linux it
/// waits by a system call that ThreadSanitizer does not see, which then reports races that are none. Builds for that
/// sanitizer define `PREFERENCES_PTHREAD_LOCK`.
///
/// It is `@inlinable` because remembered values are read in the modules of users: generic code that was not specialised
/// there takes six times as long.
@frozen
@usableFromInline
package struct Locked<State>: ~Copyable, Sendable {
    #if PREFERENCES_PTHREAD_LOCK
        @usableFromInline let storage: PthreadStorage<State>

        @usableFromInline
        package init(_ initial: sending State) {
            storage = PthreadStorage(initial)
        }

        @usableFromInline
        package func withLock<Result, Failure: Error>(
            _ body: (inout sending State) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result {
            pthread_mutex_lock(storage.mutex)
            defer { pthread_mutex_unlock(storage.mutex) }
            return try body(&storage.state)
        }

        /// Runs a body unless the lock is held. Returns whether it was run.
        func withLockIfAvailable(_ body: (inout sending State) -> Void) -> Bool {
            guard pthread_mutex_trylock(storage.mutex) == 0 else { return false }
            defer { pthread_mutex_unlock(storage.mutex) }
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

        /// Runs a body unless the lock is held. Returns whether it was run.
        func withLockIfAvailable(_ body: (inout sending State) -> Void) -> Bool {
            mutex.withLockIfAvailable { body(&$0) } != nil
        }
    #endif
}

#if PREFERENCES_PTHREAD_LOCK
    @usableFromInline
    final class PthreadStorage<State>: @unchecked Sendable {  // `state` is only reached with the mutex held.
        let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        var state: State

        init(_ state: State) {
            self.state = state
            pthread_mutex_init(mutex, nil)
        }

        deinit {
            pthread_mutex_destroy(mutex)
            mutex.deallocate()
        }
    }
#endif
