import Foundation
import PreferencesRemote
import PreferencesRuntime
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct HTTPStoreTests {
    @Test("Values are those of the server after a refresh")
    func refreshLoadsValues() async throws {
        try await PreferenceServer.run { server in
            try server.serve(.init(#"{"weather-service:temperature": 21.5, "launchCount": 3}"#))
            let store = HTTPStore(url: server.url())
            #expect(store.names().isEmpty)
            #expect(try store.value(for: "launchCount") == nil)
            #expect(try await server.requests().isEmpty)
            #expect(try await store.refresh())
            #expect(store.names() == ["weather-service:temperature", "launchCount"])
            #expect(try store.value(for: "weather-service:temperature") == 21.5)
            #expect(try store.origin(of: "launchCount")?.description == store.label)
            #expect(try store.origin(of: "absent") == nil)
            #expect(store.notifiesAllChanges)
            #expect(PreferenceStoreCapabilities(unsupportedBy: store) == [.writing, .persistence])
        }
    }

    @Test("Objects are namespaces and dictionaries")
    func objectsAreNamespacesAndDictionaries() async throws {
        try await PreferenceServer.run { server in
            let limits = #""limits": {"low": -10, "high": 40}"#
            try server.serve(
                .init(#"{"a:b:c": 1, "a:b": {"c": 2, "d": 3}, "a": {"b": {"e": 4}, \#(limits)}, "n": null}"#)
            )
            let store = HTTPStore(url: server.url())
            try await store.refresh()
            let values = try Dictionary(uniqueKeysWithValues: store.names().map { ($0, try store.value(for: $0)) })
            #expect(
                values == [
                    "a": ["b": ["e": 4], "limits": ["low": -10, "high": 40]],
                    "a:b": ["c": 2, "d": 3], "a:b:c": 1, "a:b:d": 3, "a:b:e": 4,
                    "a:limits": ["low": -10, "high": 40], "a:limits:low": -10, "a:limits:high": 40, "n": .null,
                ]
            )
            for name in ["a:", ":a", "a:limits:", "n:a", "a:b:c:d", ""] { #expect(try store.value(for: name) == nil) }
            let flat = HTTPStore(url: server.url(), layout: .flat)
            try await flat.refresh()
            #expect(flat.names() == ["a:b:c", "a:b", "a", "n"])
            #expect(try flat.value(for: "a:limits") == nil)
        }
    }

    @Test(
        "The format is that of the store, the content type or the URL",
        arguments: [
            (nil, nil, "/preferences", true), ("application/json; charset=utf-8", nil, "/preferences.plist", true),
            ("text/plain", nil, "/preferences.PLIST", false), ("Application/X-PList", nil, "/preferences.json", false),
            ("application/xml", nil, "/preferences", false), ("application/problem+json", nil, "/preferences", true),
            ("text/xml", .json, "/preferences.plist", true), (nil, .propertyList, "/preferences", false),
        ] as [(type: String?, format: HTTPStore.Format?, path: String, isJSON: Bool)]
    )
    func formatIsDetermined(type: String?, format: HTTPStore.Format?, path: String, isJSON: Bool) async throws {
        try await PreferenceServer.run { server in
            let entries = ["count": 3]
            let body =
                try isJSON
                ? JSONSerialization.data(withJSONObject: entries)
                : PropertyListSerialization.data(fromPropertyList: entries, format: .binary, options: 0)
            try server.serve(.init(body, type: type), at: path)
            let store = HTTPStore(request: URLRequest(url: server.url(path)), format: format)
            try await store.refresh()
            #expect(try store.value(for: "count") == 3)
        }
    }

    @Test("Values that do not match their keys read as defaults and are reported")
    func invalidValuesReadAsDefaults() async throws {
        try await PreferenceServer.run { server in
            try server.serve(
                .init(#"{"weather": {"count": "many", "range": 500, "name": null, "huge": 1}, "big": 1e999}"#)
            )
            let store = HTTPStore(url: server.url())
            let preferences = Preferences(store: store)
            let problems = preferences.problems
            try await store.refresh()
            #expect(preferences.get("weather:count", default: 7) == 7)
            #expect(preferences.get("weather:range", default: 50, [.range(0...100)]) == 50)
            #expect(preferences.get("weather:name", default: "anonymous") == "anonymous")
            #expect(preferences.get("weather:name", default: "anonymous" as String?) == nil)
            #expect(preferences.get("big", default: 2.5) == 2.5)
            var messages: [String] = []
            for await problem in problems {
                messages.append("\(problem.code) \(problem)")
                if problem.key == "big" { break }
            }
            let label = store.label
            #expect(
                messages == [
                    "typeMismatch \(label): 'weather:count': expected Int, found the string \"many\"; using default 7",
                    "constraintViolation \(label): 'weather:range': 500 is out of range 0...100; using default 50",
                    "typeMismatch \(label): 'weather:name': expected String, found null; using default anonymous",
                    "unsupportedValue \(label): 'big': line 1: a number is out of a Double's range; using its default",
                ]
            )
        }
    }

    @Test("The store is read-only")
    func storeIsReadOnly() async throws {
        let store = HTTPStore(url: try #require(URL(string: "http://ann:pass@weather.example/a%20b.json?key=1#top")))
        #expect(store.label == "http://weather.example/a%20b.json")
        let refusal = PreferenceProblem(.storeUnwritable, store: store.label, message: "it is read-only")
        #expect(throws: refusal) { try store.commit(["a": .set(1)]) }
        #expect(throws: refusal) { try store.commit { _ in ["a": .remove] } }
        try store.commit([:])
        try store.reload()
    }

    @Test("A URL that is not an HTTP URL stops the program")
    func otherURLStopsTheProgram() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = HTTPStore(url: URL(filePath: "/etc/secret.json"))
        }
        let errors = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(errors.contains("HTTPStore needs a URL of HTTP with a host"))
    }
}
