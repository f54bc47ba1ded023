package import Dispatch
import Synchronization

/// Counts the file locks that this process holds or waits for. While the gate is closed, new locks are refused.
package final class LockGate: Sendable {
    /// The gate of this process.
    package static let shared = LockGate()

    /// Whether the gate closes when the app enters the background. True by default on systems that suspend apps.
    package static var closesInBackground: Bool {
        get { automatic.load(ordering: .relaxed) }
        set { automatic.store(newValue, ordering: .relaxed) }
    }

    #if canImport(Darwin) && !os(macOS) && !targetEnvironment(macCatalyst)
        private static let automatic = Atomic(true)
    #else
        private static let automatic = Atomic(false)
    #endif

    private struct State {
        var isClosed = false
        var count = 0
        /// The waiting threads, each of which is signalled once the count is at most its limit.
        var waiters: [(limit: Int, semaphore: DispatchSemaphore)] = []
    }

    private let state = Locked(State())

    package var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Whether a lock is held or waited for.
    var isInUse: Bool { state.withLock { $0.count > 0 } }

    /// The right to hold one lock, or to wait for it.
    package struct Pass: ~Copyable {
        private let gate: LockGate

        /// - Returns: Nil while the gate is closed, unless the process is ending: it is not suspended then.
        package init?(_ gate: LockGate = .shared) {
            let isOpen = gate.state.withLock { state in
                guard !state.isClosed || ProcessExit.hasBegun else { return false }
                state.count += 1
                return true
            }
            guard isOpen else { return nil }
            self.gate = gate
        }

        deinit {
            gate.state.withLock { state in
                state.count -= 1
                for waiter in state.waiters where state.count <= waiter.limit { waiter.semaphore.signal() }
                state.waiters.removeAll { state.count <= $0.limit }
            }
        }
    }

    package func close() {
        state.withLock { $0.isClosed = true }
    }

    package func open() {
        state.withLock { $0.isClosed = false }
    }

    /// Waits until at most this many locks are held or waited for.
    ///
    /// - Returns: Whether the limit was reached before the deadline.
    package func wait(untilAtMost limit: Int, deadline: DispatchTime) -> Bool {
        let semaphore = DispatchSemaphore(value: 0)
        let isReached = state.withLock { state in
            if state.count > limit { state.waiters.append((limit, semaphore)) }
            return state.count <= limit
        }
        return isReached || semaphore.wait(timeout: deadline) == .success
    }
}
