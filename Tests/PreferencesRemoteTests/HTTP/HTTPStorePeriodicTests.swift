import Foundation
import PreferencesRuntime
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesRemote

struct HTTPStorePeriodicTests {
    @Test("A periodic refresh starts at once and repeats after each interval")
    func refreshesAtOnceAndAfterEachInterval() async throws {
        try await PreferenceServer.run { server in
            try server.serve(.init(#"{"a": 1}"#))
            let store = HTTPStore(url: server.url())
            let clock = SteppedClock()
            let refreshing = Task { await store.refreshPeriodically(every: .seconds(100), clock: clock) }
            var sleep = try #require(await clock.nextSleep())
            #expect((.seconds(80) ... .seconds(120)).contains(sleep))
            #expect(try store.value(for: "a") == 1)
            try server.serve(.init(#"{"a": 2}"#))
            clock.wake()
            sleep = try #require(await clock.nextSleep())
            #expect((.seconds(80) ... .seconds(120)).contains(sleep))
            #expect(try store.value(for: "a") == 2)
            refreshing.cancel()
            await refreshing.value
            #expect(try await server.requests().count == 2)
        }
    }

    @Test("After failures the delay increases, and each failure is reported once")
    func failuresIncreaseTheDelay() async throws {
        try await PreferenceServer.run { server in
            try server.serve(.init(status: 503))
            let store = HTTPStore(url: server.url())
            let changes = StoreChanges(of: store)
            let clock = SteppedClock()
            let refreshing = Task { await store.refreshPeriodically(every: .seconds(1_000), clock: clock) }
            for expected in [1, 1.6, 2.56] {
                let sleep = try #require(await clock.nextSleep())
                #expect((expected * 0.8...expected * 1.2).contains(sleep / .seconds(1)))
                clock.wake()
            }
            // The fourth delay, after another failure.
            _ = await clock.nextSleep()
            try server.serve(.init(#"{"a": 1}"#))
            clock.wake()
            let sleep = try #require(await clock.nextSleep())
            #expect(sleep >= .seconds(800))
            try server.serve(.init(status: 503))
            clock.wake()
            let retry = try #require(await clock.nextSleep())
            #expect(retry <= .seconds(1.2))
            refreshing.cancel()
            await refreshing.value
            let status = "the server answered with status 503"
            func problem(_ consequence: String) -> PreferenceStoreChange {
                .problem(
                    PreferenceProblem(.storeUnreadable, store: store.label, message: "\(status); \(consequence)")
                )
            }
            #expect(
                changes.soFar == [
                    problem("there are no earlier values, so keys read as their defaults"), .names(["a"]),
                    problem("the earlier values remain in effect"),
                ]
            )
        }
    }

    @Test("A periodic refresh that is cancelled during a request ends at once")
    func cancellationEndsThePeriodicRefresh() async throws {
        try await PreferenceServer.run { server in
            try server.serve(.init(way: .never))
            let store = HTTPStore(url: server.url())
            let refreshing = Task { await store.refreshPeriodically(every: .seconds(1), clock: SteppedClock()) }
            _ = try await server.requests(atLeast: 1)
            refreshing.cancel()
            await refreshing.value
            try await server.waitForClosedConnections(1)
        }
    }

    @Test("The delays are those of gRPC's connection backoff protocol")
    func delaysFollowTheConnectionBackoffProtocol() {
        let hourly = RefreshSchedule(every: .seconds(3_600))
        #expect(hourly.delay(afterFailures: 0, chance: 0) == .seconds(3_600))
        #expect(hourly.delay(afterFailures: 0, chance: -1) == .seconds(2_880))
        #expect(hourly.delay(afterFailures: 1, chance: 0) == .seconds(1))
        #expect(milliseconds(hourly.delay(afterFailures: 1, chance: 1)) == 1_200)
        #expect(milliseconds(hourly.delay(afterFailures: 2, chance: 0)) == 1_600)
        #expect(hourly.delay(afterFailures: 1_000_000, chance: 0) == .seconds(3_600))
        let often = RefreshSchedule(every: .zero)
        #expect(often.delay(afterFailures: 0, chance: 0) == .seconds(1))
        #expect(often.delay(afterFailures: 50, chance: 0) == .seconds(120))
    }

    private func milliseconds(_ duration: Duration) -> Double {
        (duration / .milliseconds(1)).rounded()
    }
}
