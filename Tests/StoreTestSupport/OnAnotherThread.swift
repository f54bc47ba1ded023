import Foundation
import TestSupport

/// Runs a body on a thread of its own, and returns when it has ended, and the thread has released it.
package func onAnotherThread(_ body: @escaping @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    let work = ThreadWork(body)
    Thread {
        work.run()
        done.signal()
    }.start()
    done.wait()
}
