package import Dispatch
import Synchronization

extension DispatchQueue {
    private static let hasTimers = Atomic(false)

    /// Runs a body after a time, as `asyncAfter` does, also while the process has no free file descriptor.
    ///
    /// On Linux, Dispatch ends the program if it finds no descriptors for its first timer. A thread waits instead then.
    package func runLater(at deadline: DispatchTime, _ body: @escaping @Sendable () -> Void) {
        // An epoll, an event and a timer for each of two clocks.
        if Self.hasTimers.load(ordering: .relaxed) || OpenFile.canOpen(4) {
            asyncAfter(deadline: deadline, execute: body)
            Self.hasTimers.store(true, ordering: .relaxed)
        } else {
            async {
                _ = DispatchSemaphore(value: 0).wait(timeout: deadline)
                body()
            }
        }
    }
}
