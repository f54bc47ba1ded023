import Foundation
import PreferencesRuntime
import PreferencesSystem

extension HTTPStore {
    /// Requests the document from the server and, if it has changed, replaces all values.
    ///
    /// The request is conditional, by the `ETag` of the last response or else its `Last-Modified`. Observers are
    /// notified before this returns. Concurrent calls share one request.
    ///
    /// - Returns: Whether any value has changed.
    /// - Throws: ``/PreferencesRuntime/PreferenceProblem``, with all values unchanged: `storeUnreadable` if the server
    ///   did not respond with status 200 or 304, in time and within the maximum size; `storeMalformed` if the response
    ///   is not a valid document. `CancellationError` if the task was cancelled; the request is cancelled with its last
    ///   caller.
    @discardableResult
    public func refresh() async throws -> Bool {
        try await refreshes.run { [self] in try await fetch() }
    }

    /// Refreshes immediately and then after each interval, until the task is cancelled.
    ///
    /// ```swift
    /// let refreshing = Task { await remote.refreshPeriodically(every: .seconds(3_600)) }
    /// ```
    ///
    /// The first retry after a failure follows after one second, each further one after 1.6 times the previous delay,
    /// up to the interval or 120 seconds, whichever is longer. All delays vary randomly by a fifth, so that programs
    /// that start together do not send requests together. (The figures are those of gRPC's connection backoff.) A
    /// failure is reported to observers, or to standard error if there are none, and not again while it stays the same.
    ///
    /// - Parameters:
    ///   - interval: The delay after a success; at least one second.
    ///   - clock: The clock for delays; by default a `ContinuousClock`, which advances while the machine sleeps.
    public func refreshPeriodically(
        every interval: Duration,
        clock: any Clock<Duration> = ContinuousClock()
    ) async {
        let schedule = RefreshSchedule(every: interval)
        var failures = 0
        while !Task.isCancelled {
            do {
                try await refresh()
                failures = 0
                state.withLock { $0.reportedFailure = nil }
            } catch {
                if Task.isCancelled { return }
                failures += 1
                if let problem = error as? PreferenceProblem { reportOnce(problem) }
            }
            do { try await clock.sleep(for: schedule.delay(afterFailures: failures)) } catch { return }
        }
    }

    private func fetch() async throws -> Bool {
        reportCacheError()
        do {
            switch try await exchange.fetch(unlessMatching: state.withLock { $0.validators }) {
            case .unchanged: return false
            case .document(let body, let mimeType, let validators):
                return try replaceValues(with: body, mimeType, validators)
            }
        } catch let fault as HTTPError {
            throw failure(.storeUnreadable, fault.message)
        }
    }

    /// Requests the document, even if it has not changed, and replaces all values.
    ///
    /// - Returns: The size of the response in bytes.
    /// - Throws: As ``refresh()``.
    package func refreshUnconditionally() async throws -> Int {
        do {
            switch try await exchange.fetch(unlessMatching: nil) {
            case .unchanged: return 0
            case .document(let body, let mimeType, let validators):
                _ = try replaceValues(with: body, mimeType, validators)
                return body.count
            }
        } catch let fault as HTTPError {
            throw failure(.storeUnreadable, fault.message)
        }
    }

    private func replaceValues(
        with body: [UInt8],
        _ mimeType: String?,
        _ validators: CacheValidators
    ) throws -> Bool {
        let found = Format(mimeType: mimeType, pathExtension: exchange.pathExtension)
        return try replaceValues(
            with: HTTPDocument(body: body, format: format ?? found, validators: validators, date: .now)
        )
    }

    private func reportOnce(_ problem: PreferenceProblem) {
        let isNew = state.withLock { state in
            defer { state.reportedFailure = problem }
            return state.reportedFailure != problem
        }
        if isNew { report(problem) }
    }

    /// Reports an error of reading the cache during initialization, when there were no observers yet.
    private func reportCacheError() {
        let fault = state.withLock { state in
            defer { state.cacheError = nil }
            return state.cacheError
        }
        guard let fault, let cache else { return }
        let message =
            "the cache \(cache.file.path) cannot be read (\(fault)); it is not used until the server has answered"
        report(PreferenceProblem(.storeMalformed, store: label, message: message))
    }
}

extension HTTPStore {
    /// Replaces the values with those of the cache if another process has fetched a newer document. Sends no request;
    /// for that, use ``refresh()``.
    ///
    /// - Throws: ``/PreferencesRuntime/PreferenceProblem`` if the cache cannot be read. The values are unchanged then.
    public func reload() throws {
        guard let cache else { return }
        let changed: Set<String> = try replacing.withLock {
            let previous = state.withLock { $0.date }
            do {
                guard let document = try cache.read(), previous.map({ $0 < document.date }) ?? true else { return [] }
                return install(document, try document.parsed(in: layout))
            } catch {
                let message =
                    "the cache \(cache.file.path) cannot be read (\(State.reason(of: error))); \(remainingValues)"
                throw PreferenceProblem(
                    (error as? PreferenceProblem)?.code ?? .storeMalformed,
                    store: label,
                    message: message
                )
            }
        }
        notify(of: changed)
    }

    /// Replaces the values with those of a fetched document, and writes the document to the cache.
    ///
    /// - Returns: Whether any value has changed.
    /// - Throws: A problem if the document is invalid; `CancellationError`.
    func replaceValues(with document: HTTPDocument) throws -> Bool {
        let values: ParsedDocument
        do {
            values = try document.parsed(in: layout)
        } catch {
            throw failure(
                .storeMalformed,
                "the response cannot be read as \(document.format.displayName): \(error.message)"
            )
        }
        let (changed, isCached) = try replacing.withLock {
            // A cancelled refresh may be older than one that has already completed.
            try Task.checkCancellation()
            let previous = state.withLock { $0.validators }
            let changed = install(document, values)
            return (changed, changed.isEmpty && previous == document.validators)
        }
        // Before the slow write to disk, because a `Preferences` caches values until it is notified.
        notify(of: changed)
        if let cache, !isCached { write(document, to: cache) }
        return !changed.isEmpty
    }

    private func write(_ document: HTTPDocument, to cache: ResponseCache) {
        let deferred = DeferredProblems()
        replacing.withLock {
            guard state.withLock({ $0.date }) == document.date else { return }
            do {
                try cache.write(document, report: observers.isEmpty ? nil : deferred.add)
            } catch {
                state.withLock { $0.validators = nil }
                deferred.add(cacheWriteProblem(error, in: cache))
            }
        }
        for problem in deferred.all { report(problem) }
    }

    /// Replaces the values and returns the names of changed ones. The caller must hold `replacing`.
    private func install(_ document: HTTPDocument, _ values: ParsedDocument) -> Set<String> {
        let old = state.withLock { $0.values }
        let changed = values.namesChanged(since: old)
        state.withLock { state in
            (state.values, state.validators, state.date) = (values, document.validators, document.date)
        }
        return changed
    }

    private func notify(of changed: Set<String>) {
        if !changed.isEmpty { observers.notify(.names(changed)) }
    }

    /// Reports a problem that is not thrown to observers, or to the log if there are none.
    func report(_ problem: PreferenceProblem) {
        if observers.isEmpty { return ProblemLog.write(problem) }
        observers.notify(.problem(problem))
    }

    private func cacheWriteProblem(_ error: any Error, in cache: ResponseCache) -> PreferenceProblem {
        let cause = error as? PreferenceProblem
        let message =
            "the values are in effect, but could not be written to \(cache.file.path) (\(State.reason(of: error))); "
            + "the next refresh tries again"
        return PreferenceProblem(cause?.code ?? .storeUnwritable, store: label, message: message)
    }

    /// Returns the problem of a failed refresh.
    func failure(_ code: PreferenceProblem.Code, _ message: String) -> PreferenceProblem {
        PreferenceProblem(code, store: label, message: "\(message); \(remainingValues)")
    }

    private var remainingValues: String {
        state.withLock { $0.values } == nil
            ? "there are no earlier values, so keys read as their defaults"
            : "the earlier values remain in effect"
    }
}

/// Problems to report after the lock is released.
private final class DeferredProblems: Sendable {
    private let problems = Locked<[PreferenceProblem]>([])

    var all: [PreferenceProblem] { problems.withLock { $0 } }

    @Sendable func add(_ problem: PreferenceProblem) {
        problems.withLock { $0.append(problem) }
    }
}

/// The delays between refreshes.
///
/// The retry delays are those of gRPC's "Connection Backoff Protocol": one second, then 1.6 times the previous delay,
/// up to 120 seconds, with a random variation of a fifth.
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

    /// Returns the delay after a number of consecutive failures; the interval after none. The delay grows up to the
    /// longer of the interval and the longest retry, so that a failing server is not asked more often than a working
    /// one.
    ///
    /// - Parameter chance: The variation, from -1, a fifth less, to 1, a fifth more.
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
