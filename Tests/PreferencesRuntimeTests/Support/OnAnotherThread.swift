import Foundation

@testable import PreferencesRuntime

/// Runs a body on a thread of its own, and returns when it has ended, and the thread has let go of what it had hold of.
func onAnotherThread(_ body: @escaping @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    let work = Work(body)
    Thread {
        work.run()
        done.signal()
    }.start()
    done.wait()
}

private final class Work: Sendable {
    private let body: Locked<(@Sendable () -> Void)?>

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = Locked(body)
    }

    func run() {
        let body = body.withLock { $0.take() }
        body?()
    }
}
