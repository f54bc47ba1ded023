import Foundation
import TestSupport

/// Runs a closure on a new thread, and returns when the closure has ended and was released.
package func onAnotherThread(_ body: @escaping @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    let work = ThreadWork(body)
    Thread {
        work.run()
        done.signal()
    }.start()
    done.wait()
}
