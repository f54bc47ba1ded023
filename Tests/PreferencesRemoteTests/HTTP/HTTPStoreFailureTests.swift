import Foundation
import PreferencesRuntime
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesRemote

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Answers that cannot be used.
struct HTTPStoreFailureTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var page: PreferenceServer.Page
        var code = PreferenceProblem.Code.storeUnreadable
        var message: String

        var testDescription: String { message }
    }

    private static let tooLarge =
        "the answer has more than 1000 bytes; to accept it, raise the store's 'maximumSize'"

    private static let cases: [Case] = [
        Case(page: .init(#"{"a": 2}"#, status: 503), message: "the server answered with status 503"),
        Case(page: .init(#"{"a": 2}"#, status: 404), message: "the server answered with status 404"),
        Case(page: .init(status: 204), message: "the server answered with status 204"),
        Case(page: .init(status: 304), message: "the server answered with status 304"),
        Case(
            page: .init("[1]", type: "application/json"),
            code: .storeMalformed,
            message:
                "the answer cannot be read as JSON: line 1, column 1: expected an object of preferences, found an array"
        ),
        Case(
            page: .init("null"),
            code: .storeMalformed,
            message:
                "the answer cannot be read as JSON: line 1, column 1: expected an object of preferences, found null"
        ),
        Case(
            page: .init("<html>Sign in</html>", type: "text/html"),
            code: .storeMalformed,
            message: "the answer cannot be read as JSON: line 1, column 1: expected a value, found other text"
        ),
        Case(
            page: .init("", type: "application/x-plist"),
            code: .storeMalformed,
            message: "the answer cannot be read as a property list: this is no property list: there is nothing in it"
        ),
        Case(
            page: .init(#"<plist version="1.0"><array/></plist>"#, type: "application/xml"),
            code: .storeMalformed,
            message:
                "the answer cannot be read as a property list: expected a dictionary of preferences as the property "
                + "list's root"
        ),
        Case(page: .init(String(repeating: " ", count: 2_000)), message: tooLarge),
        Case(page: .init(way: .endless), message: tooLarge),
        Case(page: .init(#"{"a""#, way: .cut), message: "the connection failed"),
    ]

    @Test(arguments: cases)
    func theyAreRefusedAndValuesStay(failure: Case) async throws {
        try await PreferenceServer.run { server in
            try server.serve(failure.page)
            let store = HTTPStore(request: URLRequest(url: server.url("/preferences?key=secret")), maximumSize: 1_000)
            let none = "there are no values from before, so that keys read as their defaults"
            let before = "the values from before stay in force"
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

    @Test(arguments: [PreferenceServer.Page.Way.never, .stuck])
    func aServerThatTakesTooLongIsGivenUp(way: PreferenceServer.Page.Way) async throws {
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
                "the answer has taken longer than 30.0 seconds; to wait longer, raise the store's 'timeout'; there are no values from before, so that keys read as "
                + "their defaults"
            #expect(try await refusal?.message == message)
            try await server.waitForClosedConnections(1)
        }
    }

    @Test func theTimeoutOfTheRequestHoldsToo() async throws {
        try await PreferenceServer.run { server in
            try server.serve(.init(way: .never))
            var request = URLRequest(url: server.url())
            request.timeoutInterval = 0.25
            let refusal = try await HTTPStore(request: request).refusal()
            #expect(refusal?.message.hasPrefix("the server has not answered in time; ") == true)
        }
    }

    @Test func offlineWithoutACacheKeysReadAsTheirDefaults() async throws {
        try await PreferenceServer.run { server in
            try server.goOffline()
            let store = HTTPStore(url: server.url())
            let preferences = Preferences(store: store)
            let refusal = PreferenceProblem(
                .storeUnreadable,
                store: store.label,
                message: "nothing answers there; there are no values from before, so that keys read as their defaults"
            )
            #expect(try await store.refusal() == refusal)
            #expect(preferences.get(named: "a", default: 7) == 7)
        }
    }

    @Test func aHostWithoutAnAddressIsNamed() async throws {
        // A name that has none, by RFC 6761, §6.4.
        let store = HTTPStore(url: try #require(URL(string: "http://ann:pass@weather.invalid/a?key=secret")))
        let refusal = try #require(try await store.refusal())
        #expect(refusal.store == "http://weather.invalid/a")
        #expect(refusal.message.hasPrefix("the host has no address; "))
    }
}
