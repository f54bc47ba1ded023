import Foundation
import PreferencesRuntime
import TestSupport
import Testing

@testable import PreferencesRemote

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct HTTPStoreTimeoutTests {
    /// When URL loading ends while the caller is being cancelled, each may wait for a lock of the other.
    @Test(
        "All 1,600 refreshes end whose timeout is reached as the response ends",
        arguments: [
            .init(size: 100), .init(size: 100_000), .init(size: 100, isRedirected: true),
            .init(size: 3_000_000, count: 25),
        ] as [Case]
    )
    func refreshesEndAroundTheTimeout(answer: Case) async throws {
        try await PreferenceServer.run { server in
            let page = PreferenceServer.Page(#"{"a": 1}"# + String(repeating: " ", count: answer.size))
            try server.serve(page, at: answer.isRedirected ? "/elsewhere" : "/preferences")
            if answer.isRedirected { try server.serve(.init(status: 302, headers: ["Location": "/elsewhere"])) }
            let request = URLRequest(url: server.url())
            try await repeatAround(request, count: answer.count) { _, timeout in
                let store = HTTPStore(request: request, timeout: timeout)
                guard let refusal = try await store.refusal() else { return }
                #expect(refusal.message.hasPrefix("the response took longer than \(timeout); "))
            }
        }
    }

    struct Case: Sendable {
        var size: Int
        var isRedirected = false
        /// The number of refreshes of each of the four lanes.
        var count = 125
    }

    @Test("A periodic refresh that is cancelled near the end of a response ends", arguments: [100, 100_000])
    func cancelledPeriodicRefreshEnds(size: Int) async throws {
        try await PreferenceServer.run { server in
            try server.serve(.init(#"{"a": 1}"# + String(repeating: " ", count: size)))
            let request = URLRequest(url: server.url())
            try await repeatAround(request) { store, delay in
                let refreshing = Task { await store.refreshPeriodically(every: .seconds(3_600)) }
                try await ContinuousClock().sleep(for: delay)
                refreshing.cancel()
                await refreshing.value
            }
        }
    }

    /// Runs a body in four lanes, a number of times in each, with delays that are about as long as a response takes.
    private func repeatAround(
        _ request: URLRequest,
        count: Int = 125,
        _ body: @escaping @Sendable (HTTPStore, Duration) async throws -> Void
    ) async throws {
        // The first call also starts resources that later ones reuse.
        try await HTTPStore(request: request).refresh()
        let measured = try await ContinuousClock().measure { try await HTTPStore(request: request).refresh() }
        // A response may take seconds on a busy machine. The timeout passes long before, but the test stays short.
        let usual = min(measured, .milliseconds(1_250 / count))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<4 {
                group.addTask {
                    for number in 0..<count {
                        try await body(
                            HTTPStore(request: request),
                            usual * (0.5 + Double((number * 4 + lane) % 100) / 50)
                        )
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
