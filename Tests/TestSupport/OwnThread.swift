import Foundation
import Synchronization

/// Runs a blocking closure on a new thread, because few threads run tasks, and the closure may wait for tasks.
///
/// When the function returns, the thread has released the closure.
package func onOwnThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    let work = ThreadWork { Swift.Result { try body() } }
    return try await withCheckedThrowingContinuation { continuation in
        Thread { continuation.resume(with: work.run()) }.start()
    }
}

/// A closure that is released as soon as it has run. A thread that retained it longer could be the last to release a
/// store, which would write pending changes after its folder was removed.
package final class ThreadWork<Result>: Sendable {
    private let body: Mutex<(@Sendable () -> Result)?>

    package init(_ body: @escaping @Sendable () -> Result) {
        self.body = Mutex(body)
    }

    /// Runs the closure. Call it only once.
    package func run() -> Result {
        guard let body = body.withLock({ $0.take() }) else { fatalError("the work has already run") }
        return body()
    }
}
