import Foundation
import Synchronization

extension Subject {
    /// The time of one operation when two threads perform it at the same time.
    ///
    /// On a busy machine, one thread often waits for a processor while the other runs alone. Therefore rounds are
    /// shorter than the scheduler's time slice, and only those count in which both threads ran throughout: 20 ms of
    /// them, or as many as there are within a second.
    static func timedOnTwoThreads(
        _ name: String = "",
        about: String = "",
        _ batch: @escaping @Sendable (_ count: Int) -> Int
    ) -> Subject {
        var count: Int?
        return Subject(name: name, about: about) {
            let sufficient =
                count
                ?? sufficientCount(for: 0.4e6) { count in
                    BenchmarkClock.thread.nanoseconds { blackHole(batch(count)) }
                }
            count = sufficient
            var counted = Figure()
            var others = Figure()
            let deadline = ContinuousClock.now + .seconds(1)
            while counted.samples.reduce(0, +) < 20e6, ContinuousClock.now < deadline {
                let round = TwoThreads().run(sufficient, batch)
                if round.isUndisturbed {
                    counted.samples.append(round.nanoseconds)
                } else {
                    others.samples.append(round.nanoseconds)
                }
            }
            return (counted.samples.isEmpty ? others : counted).median / Double(sufficient)
        }
    }
}

/// Two threads that start the same work at the same time.
private final class TwoThreads: Sendable {
    private struct Work {
        var start: ContinuousClock.Instant
        var end: ContinuousClock.Instant
        /// The time for which the thread waited for a processor, in nanoseconds.
        var delay: Double
    }

    private let readyCount = Atomic(0)
    private let works = Mutex<[Work]>([])
    private let finished = DispatchSemaphore(value: 0)

    /// Runs a closure on both threads.
    ///
    /// - Returns: The time until both have ended, and whether both ran throughout.
    func run(
        _ count: Int,
        _ batch: @escaping @Sendable (Int) -> Int
    ) -> (nanoseconds: Double, isUndisturbed: Bool) {
        for _ in 0..<2 { Thread { self.work(count, batch) }.start() }
        for _ in 0..<2 { finished.wait() }
        let works = works.withLock { $0 }.sorted { $0.start < $1.start }
        let duration = (max(works[0].end, works[1].end) - works[0].start) / .nanoseconds(1)
        let delay = (works[1].start - works[0].start) / .nanoseconds(1) + works[0].delay + works[1].delay
        return (duration, delay < duration / 10)
    }

    private func work(_ count: Int, _ batch: (Int) -> Int) {
        let delay = Self.delayInNanoseconds
        readyCount.add(1, ordering: .acquiringAndReleasing)
        // A thread that slept here would start late.
        while readyCount.load(ordering: .acquiring) < 2 {}
        let start = ContinuousClock.now
        let digest = batch(count)
        let end = ContinuousClock.now
        let work = Work(start: start, end: end, delay: Self.delayInNanoseconds - delay)
        works.withLock { $0.append(work) }
        blackHole(digest)
        finished.signal()
    }

    /// The total time for which the current thread was runnable but waited for a processor, where the system reports
    /// it. Time spent waiting for locks is not included.
    private static var delayInNanoseconds: Double {
        // The fields are the run time, the delay and the number of time slices.
        guard let file = FileHandle(forReadingAtPath: "/proc/thread-self/schedstat"), let data = try? file.readToEnd()
        else { return 0 }
        let numbers = String(decoding: data, as: UTF8.self).split(separator: " ")
        return numbers.count == 3 ? Double(numbers[1]) ?? 0 : 0
    }
}
