import Synchronization

/// A lock that the thread which holds it may take again.
package struct RecursiveLock: ~Copyable, Sendable {
    private let lock = Locked<Void>(())
    /// The thread that holds the lock, 0 for none. Only a thread itself can have put its own name there, so relaxed
    /// accesses tell it all that it asks.
    private let owner = Atomic<UInt>(0)

    /// Makes a lock that nobody holds.
    package init() {}

    /// Whether the calling thread holds the lock.
    package var isHeldByThisThread: Bool { owner.load(ordering: .relaxed) == ThreadIdentity.current }

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

    /// Runs a body with the lock, unless it is held, be it by this thread or by another.
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
