import Foundation

/// One side of a comparison, which can be measured repeatedly.
struct Subject {
    var name = ""
    /// A description of the operation, for peers.
    var about = ""
    var unit = Figure.Unit.nanoseconds
    /// Takes a measurement. Throws ``MissingDependency`` if that is impossible on this machine.
    var sample: () throws -> Double

    /// The time of one operation, measured over so many that the clock's resolution and single interruptions do not
    /// matter.
    ///
    /// - Parameters:
    ///   - clock: The clock.
    ///   - batch: Performs the operation a number of times, and returns a value that depends on all of them.
    static func timed(
        _ name: String = "",
        about: String = "",
        by clock: BenchmarkClock = .thread,
        _ batch: @escaping (_ count: Int) throws -> Int
    ) -> Subject {
        var count: Int?
        return Subject(name: name, about: about) {
            let sufficient =
                try count
                ?? sufficientCount(for: clock.sufficientDuration) { count in
                    try clock.nanoseconds { try blackHole(batch(count)) }
                }
            count = sufficient
            return try clock.nanoseconds { try blackHole(batch(sufficient)) } / Double(sufficient)
        }
    }

    /// The time of one operation that receives a different number each time.
    static func numbered(
        _ name: String = "",
        about: String = "",
        by clock: BenchmarkClock = .thread,
        _ body: @escaping (_ number: Int) throws -> Void
    ) -> Subject {
        var number = 0
        return timed(name, about: about, by: clock) { count in
            for _ in 0..<count {
                number &+= 1
                try body(number)
            }
            return number
        }
    }

    /// The cost of one of several parts: the difference between measurements with and without them, divided by their
    /// number.
    static func each(of partCount: Int, with whole: Subject, without base: Subject) -> Subject {
        Subject(unit: whole.unit) { (try whole.sample() - base.sample()) / Double(partCount) }
    }

    /// The mean of several samples, which averages out background work.
    func mean(of count: Int) -> Subject {
        Subject(name: name, about: about, unit: unit) {
            try (0..<count).reduce(0) { sum, _ in try sum + sample() } / Double(count)
        }
    }

    /// Returns the number of operations that take at least a duration in nanoseconds.
    static func sufficientCount(
        for duration: Double,
        _ nanoseconds: (_ count: Int) throws -> Double
    ) rethrows -> Int {
        var count = 1
        // Twice, because one of them may have been interrupted for that long.
        while try min(nanoseconds(count), nanoseconds(count)) < duration { count *= 2 }
        return count
    }
}

/// Calls a closure a number of times. Its results are added, so that the compiler cannot remove the calls.
@inline(__always)
func sum(of count: Int, _ body: () throws -> Int) rethrows -> Int {
    var sum = 0
    for _ in 0..<count { sum &+= try body() }
    return sum
}

/// Uses a value, so that the compiler cannot remove its computation.
@inline(never)
func blackHole(_ digest: Int) {
    if digest == .min { print("", terminator: "") }
}

/// A clock for measurements.
enum BenchmarkClock {
    /// The processor time of the current thread. It does not advance while other processes run, so that figures do not
    /// depend on the machine's load.
    case thread
    /// The processor time of all threads of the process.
    case process
    /// The wall-clock time, for operations that wait for a disk.
    case wall

    /// The duration in nanoseconds from which a measurement is steady. Disk operations vary more.
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
