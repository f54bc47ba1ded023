import Foundation

/// What durations are taken with.
enum Timepiece {
    /// What this thread does itself. It stands still while the system lets others use the processor, which makes the
    /// figures of a busy machine those of an idle one.
    case thread
    /// The same of all threads of the process, for what has others do some of the work.
    case process
    /// All that goes by: for what waits for a disk.
    case wall

    /// How long something is to take, in nanoseconds, for its figure to be steady: with a disk, one time differs from the
    /// next by more.
    var sufficientDuration: Double { self == .wall ? 100e6 : 20e6 }

    func nanoseconds(_ body: () throws -> Void) rethrows -> Double {
        let start = now
        try body()
        return now - start
    }

    private var now: Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }

    private var clock: clockid_t {
        switch self {
        case .thread: CLOCK_THREAD_CPUTIME_ID
        case .process: CLOCK_PROCESS_CPUTIME_ID
        case .wall: CLOCK_MONOTONIC
        }
    }
}
