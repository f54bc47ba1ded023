import Dispatch
import Foundation
import PreferencesRuntime
import PreferencesSystem

/// Functions that run closures on new threads.
enum BackgroundThread {
    /// Runs a closure on a new thread, with the stack size of a main thread.
    ///
    /// - Returns: The closure's result; nil if the timeout has passed. The thread is then abandoned.
    static func run<Result: Sendable>(timeout: Duration, _ body: @escaping @Sendable () -> Result) -> Result? {
        start(body).wait(timeout: timeout)
    }

    /// Starts to run a closure on a new thread, with the stack size of a main thread.
    static func start<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> Future<Result> {
        let future = Future<Result>()
        let work = Work(body)
        let thread = Thread { future.fulfill(work.run()) }
        thread.stackSize = 8 << 20
        thread.start()
        return future
    }

    /// Runs a closure on several threads at the same time, and waits for all of them.
    ///
    /// - Throws: The first error that one of them throws.
    static func runConcurrently(threads count: Int = 8, _ body: @escaping @Sendable (_ thread: Int) throws -> Void)
        throws
    {
        let group = DispatchGroup()
        let failure = Failure()
        for number in 0..<count {
            group.enter()
            let work = Work { do { try body(number) } catch { failure.note(error) } }
            Thread {
                work.run()
                group.leave()
            }.start()
        }
        group.wait()
        try failure.rethrow()
    }

    /// A closure that is released as soon as it has run. A thread that retained it longer could be the last to release
    /// a store, which would write its pending changes after the check has ended.
    private final class Work<Result>: Sendable {
        private let body: Locked<(@Sendable () -> Result)?>

        init(_ body: @escaping @Sendable () -> Result) {
            self.body = Locked(body)
        }

        func run() -> Result {
            guard let body = body.withLock({ $0.take() }) else { fatalError("the work has already run") }
            return body()
        }
    }

    private final class Failure: Sendable {
        private let first = Locked<(any Error)?>(nil)

        func note(_ error: any Error) {
            first.withLock { $0 = $0 ?? error }
        }

        func rethrow() throws {
            if let error = first.withLock({ $0 }) { throw error }
        }
    }
}

/// A value that one thread sets once, and another waits for.
final class Future<Value: Sendable>: Sendable {
    private let value = Locked<Value?>(nil)
    private let isFulfilled = DispatchSemaphore(value: 0)

    func fulfill(_ value: Value) {
        self.value.withLock { $0 = value }
        isFulfilled.signal()
    }

    /// - Returns: The value; nil if the timeout has passed.
    func wait(timeout: Duration) -> Value? {
        // The next call must not wait either.
        if isFulfilled.wait(timeout: .now() + timeout.dispatchInterval) == .success { isFulfilled.signal() }
        return value.withLock { $0 }
    }
}

extension Duration {
    var dispatchInterval: DispatchTimeInterval {
        .nanoseconds(Int(self / .nanoseconds(1)))
    }
}
