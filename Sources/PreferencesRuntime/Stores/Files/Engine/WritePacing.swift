#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Spaces writes by what they cost, so that a program that sets values all the time spends a small share of it on writing
/// them.
struct WritePacing: Equatable {
    /// When the next planned write may begin, in nanoseconds of the system's uptime.
    private var earliestTime: UInt64 = 0

    /// Returns the least pause after a write, which makes writing take a twentieth of the time at most: 20 times what the
    /// write took, and at most 2 s.
    ///
    /// - Parameter cost: The processor time that the write took.
    static func delay(afterWriteTaking cost: Duration) -> Duration {
        min(max(cost, .zero), .milliseconds(100)) * 20
    }

    /// Notes a write.
    ///
    /// - Parameters:
    ///   - cost: The processor time that it took.
    ///   - time: When it ended, in nanoseconds of the system's uptime.
    mutating func noteWrite(taking cost: Duration, at time: UInt64) {
        let delay = Self.delay(afterWriteTaking: cost).components
        // 2 s at most.
        earliestTime = time + UInt64(delay.seconds) * 1_000_000_000 + UInt64(delay.attoseconds / 1_000_000_000)
    }

    /// Returns a time for a write, or the earliest one after it that pacing allows.
    func time(notBefore time: UInt64) -> UInt64 { max(time, earliestTime) }
}

/// The processor time of the calling thread. Unlike the time of day, it does not grow while the disk or other programs keep
/// the thread waiting.
enum ThreadTime {
    static var now: Duration {
        // As two words, as in ``FileTime``: which module has the fields of `timespec` depends on the build.
        let (seconds, nanoseconds) = withUnsafeTemporaryAllocation(of: Int.self, capacity: 2) { words in
            words.initialize(repeating: 0)
            words.withMemoryRebound(to: timespec.self) { _ = clock_gettime(CLOCK_THREAD_CPUTIME_ID, $0.baseAddress!) }
            return (words[0], words[1])
        }
        return .seconds(seconds) + .nanoseconds(nanoseconds)
    }
}
