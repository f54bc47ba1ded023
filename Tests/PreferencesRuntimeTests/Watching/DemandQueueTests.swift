import StoreTestSupport
import Testing

@testable import PreferencesRuntime

/// The queue of the Combine publisher, without Combine.
@Suite("Demand queues")
struct DemandQueueTests {
    @Test("Only requested elements are sent")
    func onlyRequestedElementsAreSent() {
        let seen = Recorder<Int>()
        let queue = DemandQueue<Int> { number in
            seen.add(number)
            return 0
        }
        queue.add(1)
        queue.add(2)
        queue.add(3)
        #expect(seen.all == [])
        queue.request(2)
        #expect(seen.all == [1, 2])
        queue.add(4)
        queue.request(1)
        #expect(seen.all == [1, 2, 3])
        queue.request(nil)
        queue.add(5)
        #expect(seen.all == [1, 2, 3, 4, 5])
    }

    @Test("The consumer may request more elements while it receives one")
    func theConsumerMayRequestMore() {
        let seen = Recorder<Int>()
        let queue = DemandQueue<Int> { number in
            seen.add(number)
            return number < 3 ? 1 : 0
        }
        for number in 1...5 { queue.add(number) }
        queue.request(1)
        #expect(seen.all == [1, 2, 3])
    }

    @Test("An element that is added while another one is sent comes after it")
    func elementsAreSentInOrder() {
        let seen = Recorder<String>()
        let queues = Recorder<DemandQueue<Int>>()
        let queue = DemandQueue<Int> { number in
            seen.add("begin \(number)")
            if number == 1 {
                queues.all[0].add(2)
                queues.all[0].request(1)
            }
            seen.add("end \(number)")
            return nil
        }
        queues.add(queue)
        queue.request(1)
        queue.add(1)
        #expect(seen.all == ["begin 1", "end 1", "begin 2", "end 2"])
    }

    @Test("A cancelled queue sends nothing")
    func aCancelledQueueSendsNothing() {
        let seen = Recorder<Int>()
        let queue = DemandQueue<Int> { number in
            seen.add(number)
            return nil
        }
        queue.add(1)
        queue.cancel()
        queue.request(nil)
        queue.add(2)
        #expect(seen.all == [])
    }

    @Test("Any number of elements may be requested again and again")
    func greatDemand() {
        let seen = Recorder<Int>()
        let queue = DemandQueue<Int> { number in
            seen.add(number)
            return .max
        }
        for number in 1...3 {
            queue.request(.max)
            queue.add(number)
        }
        #expect(seen.all == [1, 2, 3])
    }

    /// An element whose deinitializer uses its queue.
    private final class Element: Sendable {
        let end: @Sendable () -> Void

        init(_ end: @escaping @Sendable () -> Void) {
            self.end = end
        }

        deinit {
            end()
        }
    }

    @Test("Elements are released with no lock held")
    func releasedElements() {
        let ended = Recorder<Int>()
        let queue = DemandQueue<Element> { _ in 0 }
        for number in 1...3 {
            queue.add(
                Element { [weak queue] in
                    queue?.request(1)
                    ended.add(number)
                }
            )
        }
        queue.request(1)
        queue.cancel()
        #expect(Set(ended.all) == [1, 2, 3])
    }
}
