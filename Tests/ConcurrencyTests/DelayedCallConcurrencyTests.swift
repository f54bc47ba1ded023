import Dispatch
import PreferencesSystem
import StoreTestSupport
import Testing

@Suite("Delayed calls")
struct DelayedCallConcurrencyTests {
    @Test("Each call runs, and none before its time, whichever was added first")
    func times() {
        let queue = DispatchQueue(label: "test")
        let start = DispatchTime.now()
        let calls = Recorder<Int>()
        let end = DispatchSemaphore(value: 0)
        for milliseconds in [30, 10, 0, 20] {
            let time = start + .milliseconds(milliseconds)
            queue.runLater(at: time) {
                if DispatchTime.now() >= time { calls.add(milliseconds) }
                end.signal()
            }
        }
        for _ in 0..<4 { end.wait() }
        #expect(calls.all.sorted() == [0, 10, 20, 30])
    }

    @Test("A call can be added while none is pending, or by another call")
    func later() {
        let end = DispatchSemaphore(value: 0)
        for _ in 0..<100 {
            DispatchQueue.global().runLater(at: .now() + .microseconds(100)) {
                DispatchQueue.global().runLater(at: .now() + .microseconds(100)) { end.signal() }
            }
            end.wait()
        }
    }
}
