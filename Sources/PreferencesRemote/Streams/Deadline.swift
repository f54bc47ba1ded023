import Dispatch
import PreferencesSystem

/// The end of a limited time, on a clock that cannot be set.
struct Deadline: Sendable {
    /// The time that the limit allowed at first.
    let duration: Duration
    let time: DispatchTime
    private let start: DispatchTime

    /// A time of three years from the first use.
    static let never = Deadline(after: .seconds(100_000_000))

    init(after duration: Duration, from start: DispatchTime = .now()) {
        (self.duration, self.start) = (duration, start)
        let (seconds, attoseconds) = duration.components
        let nanoseconds = Double(seconds) * 1e9 + Double(attoseconds) / 1e9
        time = start + .nanoseconds(Int(min(nanoseconds, 1e17)))
    }

    var hasPassed: Bool { time <= .now() }

    /// The time until the deadline; 0 after it.
    var remainingMilliseconds: Int {
        let now = DispatchTime.now()
        return time <= now ? 0 : Int(clamping: (time.uptimeNanoseconds - now.uptimeNanoseconds) / 1_000_000)
    }

    /// Returns the deadline that ends later by a duration.
    func extended(by extension: Duration) -> Deadline {
        Deadline(after: duration + `extension`, from: start)
    }

    /// Returns the earlier of two deadlines.
    func orEarlier(_ other: Deadline) -> Deadline {
        other.time < time ? other : self
    }
}

/// State that threads change, and whose changes they wait for.
final class Monitor<State: Sendable>: Sendable {
    private struct Contents {
        var state: State
        var waiting: [DispatchSemaphore] = []
    }

    private let contents: Locked<Contents>

    init(_ state: State) {
        contents = Locked(Contents(state: state))
    }

    /// Reads the state.
    func read<Result: Sendable>(_ body: (State) -> Result) -> Result {
        contents.withLock { body($0.state) }
    }

    /// Changes the state, and wakes the threads that wait for a change.
    @discardableResult
    func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        let (result, waiting) = contents.withLock { contents in
            let result = body(&contents.state)
            defer { contents.waiting = [] }
            return (result, contents.waiting)
        }
        for semaphore in waiting { semaphore.signal() }
        return result
    }

    /// Waits until a body returns a result.
    ///
    /// - Parameters:
    ///   - deadline: When to stop waiting.
    ///   - body: Called at once and after each change. It may change the state without waking other threads.
    /// - Returns: Nil after the deadline.
    func wait<Result: Sendable>(until deadline: Deadline, for body: (inout State) -> Result?) -> Result? {
        let semaphore = DispatchSemaphore(value: 0)
        while true {
            let result = contents.withLock { contents in
                let result = body(&contents.state)
                if result == nil { contents.waiting.append(semaphore) }
                return result
            }
            if let result { return result }
            if semaphore.wait(timeout: deadline.time) == .timedOut {
                return contents.withLock { contents in
                    contents.waiting.removeAll { $0 === semaphore }
                    return body(&contents.state)
                }
            }
        }
    }
}
