import Foundation
import PreferencesRuntime
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesRemote

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Invalid responses.
struct HTTPStoreFailureTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var page: PreferenceServer.Page
        var code = PreferenceProblem.Code.storeUnreadable
        var message: String

        var testDescription: String { message }
    }

    private static let tooLarge =
        "the response has more than 1000 bytes; to accept it, increase the store's 'maximumSize'"

    private static let cases: [Case] = [
        Case(page: .init(#"{"a": 2}"#, status: 503), message: "the server answered with status 503"),
        Case(page: .init(#"{"a": 2}"#, status: 404), message: "the server answered with status 404"),
        Case(page: .init(status: 204), message: "the server answered with status 204"),
        Case(page: .init(status: 304), message: "the server answered with status 304"),
        Case(
            page: .init("[1]", type: "application/json"),
            code: .storeMalformed,
            message:
                "the response cannot be read as JSON: line 1, column 1: expected an object of preferences, found an array"
        ),
        Case(
            page: .init("null"),
            code: .storeMalformed,
            message:
                "the response cannot be read as JSON: line 1, column 1: expected an object of preferences, found null"
        ),
        Case(
            page: .init("<html>Sign in</html>", type: "text/html"),
            code: .storeMalformed,
            message: "the response cannot be read as JSON: line 1, column 1: expected a value, found other text"
        ),
        Case(
            page: .init("", type: "application/x-plist"),
            code: .storeMalformed,
            message: "the response cannot be read as a property list: this is not a property list: it is empty"
        ),
        Case(
            page: .init(#"<plist version="1.0"><array/></plist>"#, type: "application/xml"),
            code: .storeMalformed,
            message:
                "the response cannot be read as a property list: expected a dictionary of preferences as the property "
                + "list's root"
        ),
        Case(page: .init(String(repeating: " ", count: 2_000)), message: tooLarge),
        Case(page: .init(way: .endless), message: tooLarge),
        Case(page: .init(#"{"a""#, way: .cut), message: "the connection failed"),
    ]

    @Test("An invalid response is reported, and values stay unchanged", arguments: cases)
    func invalidResponseLeavesValuesUnchanged(failure: Case) async throws {
        try await PreferenceServer.run { server in
            try server.serve(failure.page)
            let store = HTTPStore(request: URLRequest(url: server.url("/preferences?key=secret")), maximumSize: 1_000)
            let none = "there are no earlier values, so keys read as their defaults"
            let before = "the earlier values remain in effect"
            func problem(_ consequence: String) -> PreferenceProblem {
                let message = "\(failure.message); \(consequence)"
                return PreferenceProblem(failure.code, store: server.url().absoluteString, message: message)
            }
            let first = try await store.refusal()
            #expect(first == problem(none))
            #expect(store.names().isEmpty)
            try server.serve(.init(#"{"a": 1}"#))
            try await store.refresh()
            let changes = StoreChanges(of: store)
            try server.serve(failure.page)
            let second = try await store.refusal()
            #expect(second == problem(before))
            #expect(try store.value(for: "a") == 1)
            #expect(store.names() == ["a"])
            #expect(changes.soFar.isEmpty)
        }
    }

    @Test("A server that takes too long times out", arguments: [PreferenceServer.Page.Way.never, .stuck])
    func slowServerTimesOut(way: PreferenceServer.Page.Way) async throws {
        try await PreferenceServer.run { server in
            try server.serve(.init("{", way: way))
            let clock = SteppedClock()
            let exchange = HTTPExchange(
                request: URLRequest(url: server.url()),
                session: .shared,
                maximumSize: 1_000,
                timeout: .seconds(30),
                clock: clock
            )
            let store = HTTPStore(exchange)
            async let refusal = store.refusal()
            _ = try await server.requests(atLeast: 1)
            #expect(await clock.nextSleep() == .seconds(30))
            clock.wake()
            let message =
                "the response took longer than 30.0 seconds; to wait longer, increase the store's 'timeout'; there are no earlier values, so keys read as "
                + "their defaults"
            #expect(try await refusal?.message == message)
            try await server.waitForClosedConnections(1)
        }
    }

    @Test("The timeout of the request applies as well")
    func requestTimeoutApplies() async throws {
        try await PreferenceServer.run { server in
            try server.serve(.init(way: .never))
            var request = URLRequest(url: server.url())
            request.timeoutInterval = 0.25
            let refusal = try await HTTPStore(request: request).refusal()
            #expect(refusal?.message.hasPrefix("the server has not responded in time; ") == true)
        }
    }

    @Test("Offline and without a cache, keys read as their defaults")
    func offlineKeysReadAsDefaults() async throws {
        try await PreferenceServer.run { server in
            try server.goOffline()
            let store = HTTPStore(url: server.url())
            let preferences = Preferences(store: store)
            let refusal = PreferenceProblem(
                .storeUnreadable,
                store: store.label,
                message:
                    "the connection to the host failed; there are no earlier values, so keys read as their defaults"
            )
            #expect(try await store.refusal() == refusal)
            #expect(preferences.get(named: "a", default: 7) == 7)
        }
    }

    @Test("A host without an address is reported without the URL's secrets")
    func unknownHostIsReported() async throws {
        // RFC 6761 (§6.4) reserves this name as one without an address.
        let store = HTTPStore(url: try #require(URL(string: "http://ann:pass@weather.invalid/a?key=secret")))
        let refusal = try #require(try await store.refusal())
        #expect(refusal.store == "http://weather.invalid/a")
        #expect(refusal.message.hasPrefix("the host has no address; "))
    }
}
