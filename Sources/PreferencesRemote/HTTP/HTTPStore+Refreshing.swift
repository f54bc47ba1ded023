import PreferencesSystem
import Foundation
import PreferencesRuntime

extension HTTPStore {
    /// Asks the server for the document, unless it is still the one that is known, and has readers given what is in it.
    ///
    /// The request is conditional, by the `ETag` of the last answer, or else its `Last-Modified`. Observers are told before
    /// this returns. A call that comes while another waits for the server gets that one's answer, so that there is one
    /// request at a time.
    ///
    /// - Returns: Whether any value is another than before.
    /// - Throws: ``/PreferencesRuntime/PreferenceProblem``, with all values as they were: `storeUnreadable` where the server
    ///   has not answered with 200 or 304, in time, and within the size; `storeMalformed` where the answer is not a
    ///   document. `CancellationError` where the task was cancelled; the request ends then, unless others wait for it.
    @discardableResult
    public func refresh() async throws -> Bool {
        try await refreshes.run { [self] in try await fetch() }
    }

    /// Refreshes at once, and again after each interval, until the task is cancelled.
    ///
    /// ```swift
    /// let refreshing = Task { await served.refreshPeriodically(every: .seconds(3_600)) }
    /// ```
    ///
    /// After a failure it is tried again after a second, and then each time 1.6 times later, up to the interval or, where
    /// that is shorter, 120 seconds. All waits are a fifth longer or shorter at random, so that programs that were started
    /// together do not ask together. (The figures are those of gRPC's connection backoff.) A failure is told to observers,
    /// without any on standard error, and not again while it remains the same.
    ///
    /// - Parameters:
    ///   - interval: How long to wait after a success; a second at least.
    ///   - clock: What waits; by default a `ContinuousClock`, which goes on while the machine sleeps.
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
                state.withLock { $0.toldFailure = nil }
            } catch {
                if Task.isCancelled { return }
                failures += 1
                if let problem = error as? PreferenceProblem { tellOnce(of: problem) }
            }
            do { try await clock.sleep(for: schedule.delay(afterFailures: failures)) } catch { return }
        }
    }

    private func fetch() async throws -> Bool {
        tellOfCacheFault()
        do {
            switch try await exchange.fetch(unlessItIs: state.withLock { $0.version }) {
            case .unchanged: return false
            case .document(let body, let mimeType, let version):
                let found = Format(mimeType: mimeType, pathExtension: exchange.pathExtension)
                let served = Served(body: body, format: format ?? found, version: version, date: .now)
                return try replaceValues(with: served)
            }
        } catch let fault as HTTPFault {
            throw failure(.storeUnreadable, fault.message)
        }
    }

    private func tellOnce(of problem: PreferenceProblem) {
        let isNews = state.withLock { state in
            defer { state.toldFailure = problem }
            return state.toldFailure != problem
        }
        if isNews { tell(of: problem) }
    }

    /// Of a cache that could not be read when the store was made, and nobody observed it yet.
    private func tellOfCacheFault() {
        let fault = state.withLock { state in
            defer { state.cacheFault = nil }
            return state.cacheFault
        }
        guard let fault, let copy else { return }
        let message =
            "the cache \(copy.file.path) cannot be read (\(fault)); it is not used until the server has answered"
        tell(of: PreferenceProblem(.storeMalformed, store: label, message: message))
    }
}
