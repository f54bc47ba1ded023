import Dispatch
import Synchronization

@testable import PreferencesRuntime
@testable import PreferencesSystem

/// Watches without events, which succeed or fail as requested.
final class FakeWatches: PathWatches {
    final class Log: Sendable {
        private let state: Mutex<(count: Int, failuresAhead: Int)>
        private let counts: AsyncStream<Int>
        private let continuation: AsyncStream<Int>.Continuation

        /// - Parameter failuresAhead: The number of watches that will fail.
        init(failuresAhead: Int = 0) {
            state = Mutex((0, failuresAhead))
            (counts, continuation) = AsyncStream.makeStream()
        }

        /// The number of watches.
        var count: Int { state.withLock { $0.count } }

        func endFailures() {
            state.withLock { $0.failuresAhead = 0 }
        }

        func isNextComplete() -> Bool {
            state.withLock { state in
                if state.failuresAhead == 0 { return true }
                state.failuresAhead -= 1
                return false
            }
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

    func replace(with points: Set<WatchPoint>) -> Bool { log.isNextComplete() }
}

extension FileWatcher.Mechanism {
    /// Watches that report no event.
    ///
    /// - Parameter fileSystem: The file system of every file.
    static func fake(
        _ log: FakeWatches.Log = .init(),
        fileSystem: RemoteFileSystem? = nil,
        startDelay: DispatchTimeInterval = .milliseconds(0)
    ) -> Self {
        var means = Self()
        means.startDelay = startDelay
        means.makeWatches = { FakeWatches(log: log, onEvent: $0) }
        means.findRemoteFileSystem = { _ in fileSystem }
        return means
    }
}
