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
    @Test("Each of 1,000 refreshes ends whose timeout comes as the answer ends", arguments: [100, 100_000])
    func refreshesEndAroundTheTimeout(size: Int) async throws {
        try await PreferenceServer.run { server in
            try server.serve(.init(#"{"a": 1}"# + String(repeating: " ", count: size)))
            let request = URLRequest(url: server.url())
            let clock = ContinuousClock()
            // The first one also starts what later ones find running.
            _ = try await HTTPStore(request: request).refresh()
            let usual = try await clock.measure { _ = try await HTTPStore(request: request).refresh() }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for lane in 0..<4 {
                    group.addTask {
                        for number in 0..<125 {
                            let timeout = usual * (0.5 + Double((number * 4 + lane) % 100) / 50)
                            let store = HTTPStore(request: request, timeout: timeout)
                            guard let refusal = try await store.refusal() else { continue }
                            #expect(refusal.message.hasPrefix("the answer has taken longer than \(timeout); "))
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test("A periodic refresh ends that is cancelled as the answer ends")
    func periodicRefreshesEndAroundTheirCancellation() async throws {
        try await PreferenceServer.run { server in
            try server.serve(.init(#"{"a": 1}"#))
            let request = URLRequest(url: server.url())
            let clock = ContinuousClock()
            _ = try await HTTPStore(request: request).refresh()
            let usual = try await clock.measure { _ = try await HTTPStore(request: request).refresh() }
            for number in 0..<200 {
                let store = HTTPStore(request: request)
                let refreshing = Task { await store.refreshPeriodically(every: .seconds(3_600)) }
                try await clock.sleep(for: usual * (0.5 + Double(number % 100) / 50))
                refreshing.cancel()
                await refreshing.value
            }
        }
    }
}
