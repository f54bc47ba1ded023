import Foundation
import Synchronization

/// Runs a blocking closure on a new thread, because few threads run tasks, and the closure may wait for tasks.
///
/// When the function returns, the thread has released the closure.
package func onOwnThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await OwnThread(body).result
}

/// A thread that runs a closure from its creation on. An `async let` begins only when a thread for tasks is free, which
/// is never if the test then blocks the only one.
package struct OwnThread<Result: Sendable>: Sendable {
    private let results: AsyncStream<Swift.Result<Result, any Error>>

    package init(_ body: @escaping @Sendable () throws -> Result) {
        let work = ThreadWork { Swift.Result { try body() } }
        let (results, continuation) = AsyncStream.makeStream(of: Swift.Result<Result, any Error>.self)
        self.results = results
        Thread {
            continuation.yield(work.run())
            continuation.finish()
        }.start()
    }

    /// The closure's result, which can be taken only once.
    package var result: Result {
        get async throws {
            for await result in results { return try result.get() }
            throw CancellationError()
        }
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
