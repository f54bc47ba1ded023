import Synchronization

@testable import PreferencesRuntime

/// Watches nothing, but says so or not.
final class FakeWatches: PathWatches {
    final class Log: Sendable {
        private let state: Mutex<(count: Int, isComplete: Bool)>
        private let counts: AsyncStream<Int>
        private let continuation: AsyncStream<Int>.Continuation

        init(isComplete: Bool = true) {
            state = Mutex((0, isComplete))
            (counts, continuation) = AsyncStream.makeStream()
        }

        /// How many there are.
        var count: Int { state.withLock { $0.count } }
        var isComplete: Bool { state.withLock { $0.isComplete } }

        func setComplete(_ isComplete: Bool) {
            state.withLock { $0.isComplete = isComplete }
        }

        func add(_ number: Int) {
            let count = state.withLock { state in
                state.count += number
                return state.count
            }
            continuation.yield(count)
        }

        /// Waits until there are none.
        func waitUntilNone() async {
            _ = await counts.first { $0 == 0 }
        }
    }

    private let log: Log

    init(log: Log, onEvent: @Sendable () -> Void) {
        self.log = log
        log.add(1)
    }

    deinit {
        log.add(-1)
    }

    func replace(with points: Set<WatchPoint>) -> Bool { log.isComplete }
}
