import PreferencesSystem
import Foundation
import PreferencesRuntime

/// Work on threads that are not those of the test runner.
enum OtherThread {
    /// Runs a body on a thread of its own, with the stack of a main thread.
    ///
    /// - Returns: What the body returns; nil where it has not done so in time. Its thread is left behind then.
    static func run<Result: Sendable>(atMost limit: Duration, _ body: @escaping @Sendable () -> Result) -> Result? {
        start(body).wait(atMost: limit)
    }

    /// Begins to run a body on a thread of its own, with the stack of a main thread.
    ///
    /// - Returns: Where what the body returns will be.
    static func start<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> Answer<Result> {
        let answer = Answer<Result>()
        let work = Work(body)
        let thread = Thread { answer.give(work.run()) }
        thread.stackSize = 8 << 20
        thread.start()
        return answer
    }

    /// Runs a body on several threads at the same time, and waits for all.
    ///
    /// - Throws: What one of them has thrown first.
    static func hammer(threads count: Int = 8, _ body: @escaping @Sendable (_ thread: Int) throws -> Void) throws {
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

    /// What a thread does, and has let go of once it is done: a store that a thread had hold of for longer would be released,
    /// and write what is unwritten, after all have been waited for.
    private final class Work<Result>: Sendable {
        private let body: Locked<(@Sendable () -> Result)?>

        init(_ body: @escaping @Sendable () -> Result) {
            self.body = Locked(body)
        }

        func run() -> Result {
            guard let body = body.withLock({ $0.take() }) else { fatalError("work is done once") }
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
