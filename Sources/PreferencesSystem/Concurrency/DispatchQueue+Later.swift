package import Dispatch

extension DispatchQueue {
    /// Runs a body at a time, as `asyncAfter` does, even while the process has no free file descriptor.
    package func runLater(at deadline: DispatchTime, _ body: @escaping @Sendable () -> Void) {
        #if canImport(Darwin)
            asyncAfter(deadline: deadline, execute: body)
        #else
            DelayedCalls.shared.add(DelayedCalls.Call(deadline: deadline, queue: self, body: body))
        #endif
    }
}

#if !canImport(Darwin)
    /// The calls of the process that run later.
    ///
    /// One thread waits for all of them, while there are any. Dispatch's timers need file descriptors on Linux: without
    /// a free one, Dispatch drops a timer, and with it all later ones of the same clock.
    private final class DelayedCalls: Sendable {
        struct Call: Sendable {
            let deadline: DispatchTime
            let queue: DispatchQueue
            let body: @Sendable () -> Void
        }

        private struct State {
            var calls: [Call] = []
            var hasThread = false
        }

        static let shared = DelayedCalls()

        private let state = Locked(State())
        /// Signaled when a call was added while the thread waits.
        private let additions = DispatchSemaphore(value: 0)

        func add(_ call: Call) {
            let needsThread = state.withLock { state in
                defer { state.hasThread = true }
                state.calls.append(call)
                return !state.hasThread
            }
            if needsThread {
                DispatchQueue(label: "preferences.later").async { self.run() }
            } else {
                additions.signal()
            }
        }

        private func run() {
            while let next = startDueCalls() { _ = additions.wait(timeout: next) }
        }

        /// - Returns: The time of the next call; nil if there is none.
        private func startDueCalls() -> DispatchTime? {
            let (due, next) = state.withLock { state in
                let now = DispatchTime.now()
                let due = state.calls.filter { $0.deadline <= now }
                state.calls.removeAll { $0.deadline <= now }
                let next = state.calls.map(\.deadline).min()
                state.hasThread = next != nil
                return (due, next)
            }
            for call in due.sorted(by: { $0.deadline < $1.deadline }) { call.queue.async(execute: call.body) }
            return next
        }
    }
#endif

/// Runs closures concurrently, and waits for them.
///
/// Each runs on a private queue: closures that wait for another process would exhaust the threads of the global queues.
///
/// - Parameters:
///   - bodies: The closures.
///   - deadline: When to stop waiting. Closures that are still running then continue.
///   - ownBody: A closure that the calling thread runs before it waits.
/// - Returns: The indices of the closures that are still running at the deadline.
@discardableResult
package func runConcurrently(
    _ bodies: [@Sendable () -> Void],
    until deadline: DispatchTime,
    meanwhile ownBody: () -> Void = {}
) -> [Int] {
    // All start before the first wait. A semaphore does not raise the priority of the thread that it waits for.
    let ends = bodies.map { body in
        let hasEnded = DispatchSemaphore(value: 0)
        DispatchQueue(label: "preferences.concurrent", qos: .userInitiated).async {
            body()
            hasEnded.signal()
        }
        return hasEnded
    }
    ownBody()
    return ends.indices.filter { ends[$0].wait(timeout: deadline) == .timedOut }
}
