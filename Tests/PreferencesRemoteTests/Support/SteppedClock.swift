/// A clock that stands still: who sleeps is woken by the test.
struct SteppedClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let sleeps = AsyncStream.makeStream(of: Duration.self)
    private let wakes = AsyncStream.makeStream(of: Void.self)

    var now: Instant { Instant(offset: .zero) }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        sleeps.continuation.yield(deadline.offset)
        // Ends at once where the task is cancelled.
        _ = await wakes.stream.first { true }
        try Task.checkCancellation()
    }

    /// Waits until somebody sleeps.
    ///
    /// - Returns: How long they want to.
    func nextSleep() async -> Duration? {
        await sleeps.stream.first { _ in true }
    }

    func wake() {
        wakes.continuation.yield()
    }
}
