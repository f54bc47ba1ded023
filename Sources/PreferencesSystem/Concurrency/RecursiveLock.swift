public import Synchronization

/// A lock that the thread which holds it may take again.
@frozen
@usableFromInline
package struct RecursiveLock: ~Copyable, Sendable {
    @usableFromInline let lock: Locked<Void>
    /// The thread that holds the lock; 0 if none does. Relaxed accesses suffice: a thread finds its own identifier only if it
    /// has stored it itself.
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

    /// Runs a body with the lock.
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

    /// Runs a body with the lock unless a thread holds it, which may be the calling one.
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
