import PreferencesSystem
import Synchronization

/// A lock that threads wait for until a deadline, and that the thread that holds it can take again.
final class TimedRecursiveLock: Sendable {
    private let isHeld = Monitor(false)
    /// The thread that holds the lock; 0 if none does. Relaxed accesses suffice: a thread finds its own identifier only
    /// if it has stored it itself.
    private let owner = Atomic<UInt>(0)

    /// Whether the calling thread holds the lock.
    var isHeldByThisThread: Bool { owner.load(ordering: .relaxed) == ThreadIdentity.current }

    /// Runs a body while holding the lock.
    ///
    /// - Parameter deadline: When to stop waiting. A thread that holds the lock already does not wait.
    /// - Returns: The result of the body; nil if other threads hold the lock until the deadline.
    func withLock<Result>(until deadline: Deadline, _ body: () throws -> Result) rethrows -> Result? {
        let thread = ThreadIdentity.current
        if owner.load(ordering: .relaxed) == thread { return try body() }
        let isTaken = isHeld.wait(until: deadline) { isHeld -> Bool? in
            defer { isHeld = true }
            return isHeld ? nil : true
        }
        guard isTaken == true else { return nil }
        owner.store(thread, ordering: .relaxed)
        defer {
            owner.store(0, ordering: .relaxed)
            isHeld.change { $0 = false }
        }
        return deadline.hasPassed ? nil : try body()
    }
}
