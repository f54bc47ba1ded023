import StoreTestSupport
import Synchronization
import Testing

@testable import PreferencesRuntime
@testable import PreferencesSystem

/// The queue of the changes to deliver to one watcher.
@Suite("Watch queues")
struct WatchQueueTests {
    private final class LiveCount: Sendable {
        let value = AtomicCounter()
    }

    /// A change whose instances are counted.
    private final class Change: Sendable {
        let number: Int
        private let liveCount: LiveCount
        private let onEnd: @Sendable () -> Void

        init(_ number: Int, _ liveCount: LiveCount, onEnd: @escaping @Sendable () -> Void) {
            (self.number, self.liveCount, self.onEnd) = (number, liveCount, onEnd)
            liveCount.value.increment()
        }

        deinit {
            liveCount.value.decrement()
            onEnd()
        }
    }

    @Test("A change that was delivered is released before the next one is, and may use the queue then")
    func delivered() {
        let liveCount = LiveCount()
        let seen = Recorder<[Int]>()
        let queue = Locked<WatchQueue<Change>?>(nil)
        let count = 20
        let new = WatchQueue<Change>(.writer) { change in
            seen.add([change.number, liveCount.value.value])
            guard change.number == 0 else { return }
            for number in 1..<count {
                queue.withLock { $0 }?.add(
                    Change(number, liveCount) { if number == count - 1 { queue.withLock { $0 }?.cancel() } }
                )
            }
        }
        queue.withLock { $0 = new }
        new.add(Change(0, liveCount) {})
        new.deliver()
        #expect(seen.all == (0..<count).map { [$0, $0 == 0 ? 1 : count - $0] })
        let isZero = liveCount.value.isZero
        #expect(isZero)
        queue.withLock { $0 = nil }
    }
}
