import Foundation
import Synchronization

/// Runs a body that blocks on a thread of its own: those of tasks are few, and what is waited for may need them.
///
/// When it returns, the thread has released the body.
package func onOwnThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    let work = ThreadWork { Swift.Result { try body() } }
    return try await withCheckedThrowingContinuation { continuation in
        Thread { continuation.resume(with: work.run()) }.start()
    }
}

/// A body that a thread runs once, and releases before anyone learns of its end: a store that the thread held for longer
/// would write what is pending after its folder has been removed.
package final class ThreadWork<Result>: Sendable {
    private let body: Mutex<(@Sendable () -> Result)?>

    package init(_ body: @escaping @Sendable () -> Result) {
        self.body = Mutex(body)
    }

    /// Runs the body, which must not have been run before.
    package func run() -> Result {
        guard let body = body.withLock({ $0.take() }) else { fatalError("work is done once") }
        return body()
    }
}
