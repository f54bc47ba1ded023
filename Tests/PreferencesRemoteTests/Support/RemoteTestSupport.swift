import Foundation
import PreferencesRemote
import PreferencesRuntime
import PreferencesSystem
import TestSupport

/// Runs a body with a server, and the URL of a cache in a temporary folder.
func withCache(
    file: String = #fileID,
    line: Int = #line,
    _ body: (PreferenceServer, URL) async throws -> Void
) async throws {
    try await PreferenceServer.run { server in
        try await withTemporaryDirectory(file: file, line: line) { folder in
            try await body(server, folder.appending(components: "caches", "weather.json"))
        }
    }
}

extension HTTPStore {
    /// Returns the problem that a refresh throws; nil if it succeeds.
    func refusal() async throws -> PreferenceProblem? {
        do {
            try await refresh()
            return nil
        } catch let problem as PreferenceProblem {
            return problem
        }
    }
}

/// A thread-safe list of recorded elements.
final class Recorder<Element: Sendable>: Sendable {
    private let elements = Locked<[Element]>([])

    var all: [Element] { elements.withLock { $0 } }

    func add(_ element: Element) {
        elements.withLock { $0.append(element) }
    }
}

/// A clock that stands still; the test wakes sleeping tasks.
struct SteppedClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let sleeps = AsyncStream.makeStream(of: Duration.self)
    private let wakes = AsyncStream.makeStream(of: Void.self)

    var now: Instant { Instant(offset: .zero) }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        sleeps.continuation.yield(deadline.offset)
        // Returns immediately if the task is cancelled.
        _ = await wakes.stream.first { true }
        try Task.checkCancellation()
    }

    /// Waits until a task sleeps, and returns the duration.
    func nextSleep() async -> Duration? {
        await sleeps.stream.first { _ in true }
    }

    func wake() {
        wakes.continuation.yield()
    }
}
