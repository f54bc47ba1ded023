package import Dispatch

/// Runs closures at the same time, and waits for them.
///
/// Each has a private queue, since closures that wait for another process would exhaust the threads of the global queues.
///
/// - Parameters:
///   - bodies: The closures.
///   - deadline: When to stop waiting. Closures still running then continue.
///   - ownBody: A closure that the calling thread runs before it waits.
/// - Returns: The indices of the closures that are still running at the deadline.
@discardableResult
package func runConcurrently(
    _ bodies: [@Sendable () -> Void],
    until deadline: DispatchTime,
    meanwhile ownBody: () -> Void = {}
) -> [Int] {
    // All begin before the first is waited for. A semaphore does not raise the priority of what it waits for.
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
