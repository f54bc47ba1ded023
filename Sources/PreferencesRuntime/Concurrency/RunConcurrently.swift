import Dispatch

/// Runs closures at the same time, each on a thread of its own, and waits for them.
///
/// Each may wait for another process. The global queues have few threads for closures that wait; a queue has its own.
///
/// - Parameters:
///   - bodies: The closures.
///   - deadline: When to stop waiting. Closures that have not ended go on.
///   - ownBody: A closure that the calling thread runs before it waits.
/// - Returns: The indices of the closures that have not ended by the deadline.
func runConcurrently(
    _ bodies: [@Sendable () -> Void],
    until deadline: DispatchTime,
    meanwhile ownBody: () -> Void = {}
) -> [Int] {
    // All begin before the first is waited for.
    let ends = bodies.map { body in
        let hasEnded = DispatchSemaphore(value: 0)
        DispatchQueue(label: "preferences.concurrent").async {
            body()
            hasEnded.signal()
        }
        return hasEnded
    }
    ownBody()
    return ends.indices.filter { ends[$0].wait(timeout: deadline) == .timedOut }
}
