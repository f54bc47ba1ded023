import Foundation
import PreferencesRemote
import PreferencesRuntime
import TestSupport
import Testing

@testable import PreferencesSystem

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Prephirences: remote preferences")
struct RemoteParityTests {
    @Test(
        """
        remote preferences from JSON or plist, URL or request: merged atomically; ETag; kept on disk for the next start \
        offline; every value checked against the schema; null never crashes
        """,
        arguments: HTTPStore.Format.allCases
    )
    func remote(format: HTTPStore.Format) async throws {
        try await PreferenceServer.run { server in
            try await withTemporaryDirectory { folder in
                let cache = folder.appending(component: "remote.json")
                var request = URLRequest(url: server.url())
                request.setValue("ann", forHTTPHeaderField: "X-User")
                let store = HTTPStore(request: request, format: format, cache: cache)
                // Local values take precedence over those of the server.
                let own = MemoryStore()
                let preferences = Preferences(store: LayeredStore([own, store]))
                let seen = Seen()
                preferences.watch(\.unit) { [preferences] in seen.add("\($0.new), \(preferences.range)") }

                try server.serve(
                    page(["weather-service": ["unit": "kelvin", "range": 70], "age": 3], format, "\"1\"")
                )
                #expect(try await store.refresh())
                #expect(seen.all == ["kelvin, 70"])
                preferences.set(named: "age", to: 4)
                #expect(preferences.get(named: "age", default: 0) == 4)

                #expect(try await !store.refresh())
                let requests = try await server.requests()
                #expect(requests.map { $0.headers["If-None-Match"] } == [nil, "\"1\""])
                #expect(requests.map { $0.headers["X-User"] } == ["ann", "ann"])

                // The original stopped the program at a null.
                let null: Any = format == .json ? NSNull() : ["$null": true]
                let bad: [String: Any] = ["weather-service": ["unit": null, "range": 5_000], "age": "old"]
                try server.serve(page(bad, format, "\"2\""))
                #expect(try await store.refresh())
                #expect(try store.value(for: "weather-service:unit") == .null)
                let problems = preferences.problems
                #expect(preferences.unit == "celsius")
                #expect(preferences.range == 50)
                preferences.reset(named: "age")
                #expect(preferences.get(named: "age", default: 0) == 0)
                var codes: [String?: PreferenceProblem.Code] = [:]
                for await problem in problems {
                    codes[problem.key] = problem.code
                    if codes.count == 3 { break }
                }
                #expect(
                    codes == [
                        "weather-service:unit": .typeMismatch, "weather-service:range": .constraintViolation,
                        "age": .typeMismatch,
                    ]
                )

                try server.serve(page(["weather-service": ["unit": "kelvin", "range": 80]], format, "\"3\""))
                try await store.refresh()
                try server.goOffline()
                let next = HTTPStore(url: server.url(), cache: cache)
                #expect(Preferences(store: next).range == 80)
                await #expect(throws: PreferenceProblem.self) { try await next.refresh() }
                #expect(try next.value(for: "weather-service:unit") == "kelvin")
            }
        }
    }

    private func page(_ entries: [String: Any], _ format: HTTPStore.Format, _ etag: String) throws
        -> PreferenceServer.Page
    {
        let body =
            try format == .json
            ? JSONSerialization.data(withJSONObject: entries)
            : PropertyListSerialization.data(fromPropertyList: entries, format: .xml, options: 0)
        return PreferenceServer.Page(body, etag: etag)
    }
}

private final class Seen: Sendable {
    private let texts = Locked<[String]>([])

    var all: [String] { texts.withLock { $0 } }

    func add(_ text: String) {
        texts.withLock { $0.append(text) }
    }
}

extension PreferenceAccessors {
    fileprivate var unit: String {
        self.get("weather-service:unit", default: "celsius")
    }

    fileprivate var range: Int {
        self.get("weather-service:range", default: 50, [.range(0...100)])
    }
}
