import PreferencesSystem
import Synchronization

/// A lock that threads wait for until a deadline, in the order in which they began to wait. The thread that holds it can
/// take it again.
final class TimedRecursiveLock: Sendable {
    private struct State {
        var lastTicket: UInt64 = 0
        /// The tickets of the thread that holds the lock, and of those that wait for it.
        var tickets: [UInt64] = []
    }

    private let state = Monitor(State())
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
        let ticket = state.change { state in
            state.lastTicket += 1
            state.tickets.append(state.lastTicket)
            return state.lastTicket
        }
        defer { state.change { $0.tickets.removeAll { $0 == ticket } } }
        guard state.wait(until: deadline, for: { $0.tickets.first == ticket ? true : nil }) == true,
            !deadline.hasPassed
        else { return nil }
        owner.store(thread, ordering: .relaxed)
        defer { owner.store(0, ordering: .relaxed) }
        return try body()
    }
}
