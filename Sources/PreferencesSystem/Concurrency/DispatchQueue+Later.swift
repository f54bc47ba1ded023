package import Dispatch
import Synchronization

extension DispatchQueue {
    private static let hasTimers = Atomic(false)

    /// Runs a body at a time, as `asyncAfter` does, even while the process has no free file descriptor.
    ///
    /// On Linux, Dispatch ends the program if it finds no descriptors for its event loop, and drops a timer if it finds
    /// none for its first one, which it creates on another thread. Until a probe timer has fired, a thread waits
    /// instead.
    package func runLater(at deadline: DispatchTime, _ body: @escaping @Sendable () -> Void) {
        if Self.hasTimers.load(ordering: .relaxed) { return asyncAfter(deadline: deadline, execute: body) }
        // One for epoll, one for an event, and one timer for each of two clocks.
        if OpenFile.canOpen(4) {
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) {
                Self.hasTimers.store(true, ordering: .relaxed)
            }
        }
        let pauseEnd = min(deadline, .now() + .milliseconds(100))
        DispatchQueue(label: "preferences.later").async {
            _ = DispatchSemaphore(value: 0).wait(timeout: pauseEnd)
            if pauseEnd < deadline { self.runLater(at: deadline, body) } else { self.async(execute: body) }
        }
    }
}

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
