import Dispatch
import Foundation
import PreferencesRemote
import TestSupport

/// This program as a client.
struct Client {
    /// The number of threads that use the writing store.
    private static let threadCount = 4
    /// How long to wait for the final values, on a machine that is very busy.
    private static let patience = Duration.seconds(600)

    private let options: ClientOptions
    private let writing: WatchedCopy
    private let watching: WatchedCopy
    private let log: CallLog

    /// Runs a client until the end of its standard input.
    ///
    /// - Parameter text: The options as JSON.
    static func run(_ text: String) throws {
        try Client(JSONDecoder().decode(ClientOptions.self, from: Data(text.utf8))).run()
    }

    private init(_ options: ClientOptions) throws {
        self.options = options
        writing = WatchedCopy(options, isWatching: false)
        watching = WatchedCopy(options, isWatching: true)
        log = try CallLog(options.log)
    }

    private func run() throws {
        // A client that was started again has no network yet: these are the values of its cache.
        let revisions = [writing, watching].map { copy in
            calls(of: copy, 0).readAllKeys()
            return copy.store.revision ?? 0
        }
        writing.start()
        watching.start()
        Self.report(.started(revisions: revisions))
        let threads = DispatchGroup()
        for index in 0...Self.threadCount {
            let isWatching = index == Self.threadCount
            let first = calls(of: isWatching ? watching : writing, index)
            threads.enter()
            Thread { [log] in
                var calls = first
                while !log.isClosed { isWatching ? calls.makeRead() : calls.makeCall() }
                threads.leave()
            }.start()
        }
        while let line = readLine() {
            switch try JSONDecoder().decode(ClientCommand.self, from: Data(line.utf8)) {
            case .stop:
                log.close()
                threads.wait()
                Self.report(.stopped)
            case .finish(let revision, let values):
                Self.report(.finished([writing, watching].map { state(of: $0, at: revision, values) }))
            }
        }
    }

    private func calls(of copy: WatchedCopy, _ thread: Int) -> Calls {
        let seed = options.seed &* 1_000 &+ UInt64(copy.number * 10 + thread)
        return Calls(copy, log, SeededRandom(seed: seed), options.fault)
    }

    /// Waits until all readers of a copy have values, or until the patience ends.
    private func state(of copy: WatchedCopy, at revision: Int64, _ values: [String: String]) -> CopyState {
        // A faulty client is not waited for.
        let end = ContinuousClock.now + (options.fault == nil ? Self.patience : .seconds(2))
        while true {
            let state = copy.state
            let isFinal = state.revision >= revision && state.values.values.allSatisfy { $0 == values }
            if isFinal || .now > end { return state }
            // The copy is that of stores, observers and watchers together, which notify each for themselves.
            usleep(10_000)
        }
    }

    /// Writes a report to standard output.
    static func report(_ report: ClientReport) {
        guard let line = try? JSONEncoder().encode(report) else { return }
        let bytes = Array(line + Data("\n".utf8))
        // A line shorter than a pipe's buffer is written completely, unless the parent process has ended.
        _ = write(1, bytes, bytes.count)
    }
}
