/// When to ask a server again.
///
/// After failures the figures are those of gRPC's "Connection Backoff Protocol": a second at first, 1.6 times as long after
/// each that follows, up to 120 seconds, and each a fifth more or less.
struct RefreshSchedule: Sendable {
    static let shortestInterval: Duration = .seconds(1)
    static let firstRetry: Duration = .seconds(1)
    static let longestRetry: Duration = .seconds(120)
    static let growth = 1.6
    static let jitter = 0.2

    let interval: Duration

    init(every interval: Duration) {
        self.interval = max(interval, Self.shortestInterval)
    }

    /// How long to wait after so many failures in a row; after none the interval. A server is not asked more often for
    /// failing than it takes: where the interval is longer than the longest retry, retries grow up to the interval.
    ///
    /// - Parameter chance: From -1, a fifth less, to 1, a fifth more.
    func delay(afterFailures failures: Int, chance: Double = .random(in: -1...1)) -> Duration {
        let delay = failures == 0 ? interval : retry(failures)
        return delay * (1 + Self.jitter * chance)
    }

    private func retry(_ failures: Int) -> Duration {
        let longest = max(interval, Self.longestRetry)
        var delay = Self.firstRetry
        for _ in 1..<failures where delay < longest { delay = delay * Self.growth }
        return min(delay, longest)
    }
}
