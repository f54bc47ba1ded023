import Foundation
import Synchronization

extension Subject {
    /// How long one operation takes when two threads do it at the same time.
    ///
    /// On a busy machine one of the threads often has to wait for a processor, and the other has the key to itself. So
    /// this is done in rounds that are shorter than what the system gives a thread at once, and only those count in
    /// which both ran from the start to the end: 20 ms of them, or what there is of them in a second.
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
                    Timepiece.thread.nanoseconds { keep(batch(count)) }
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

/// Two threads that begin the same work at the same moment.
private final class TwoThreads: Sendable {
    private struct Work {
        var start: ContinuousClock.Instant
        var end: ContinuousClock.Instant
        /// How much of that it had to wait for a processor.
        var delay: Double
    }

    private let readyCount = Atomic(0)
    private let works = Mutex<[Work]>([])
    private let finished = DispatchSemaphore(value: 0)

    /// Has both work, and tells how long it took until the second was done, and whether both worked all of the time.
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
        // One that slept here would leave the other alone for as long as it takes to wake up.
        while readyCount.load(ordering: .acquiring) < 2 {}
        let start = ContinuousClock.now
        let digest = batch(count)
        let end = ContinuousClock.now
        let work = Work(start: start, end: end, delay: Self.delayInNanoseconds - delay)
        works.withLock { $0.append(work) }
        keep(digest)
        finished.signal()
    }

    /// How long this thread has waited for a processor until now, as far as the system tells: when another took its own
    /// away, or when the lock that it had slept for was free. That it waits for a lock is not in it.
    private static var delayInNanoseconds: Double {
        // Its time, its delay and its turns.
        guard let file = FileHandle(forReadingAtPath: "/proc/thread-self/schedstat"), let data = try? file.readToEnd()
        else { return 0 }
        let numbers = String(decoding: data, as: UTF8.self).split(separator: " ")
        return numbers.count == 3 ? Double(numbers[1]) ?? 0 : 0
    }
}
