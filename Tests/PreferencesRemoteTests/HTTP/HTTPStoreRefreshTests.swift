import Foundation
import PreferencesRemote
import PreferencesRuntime
import StoreTestSupport
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct HTTPStoreRefreshTests {
    @Test("An unchanged document is not sent again")
    func unchangedDocumentIsNotSentAgain() async throws {
        try await PreferenceServer.run { server in
            let dates = ["Sun, 22 Nov 2026 08:00:00 GMT", "Sun, 22 Nov 2026 09:00:00 GMT"]
            let store = HTTPStore(url: server.url())
            let changes = StoreChanges(of: store)
            try server.serve(.init(#"{"a": 1}"#, etag: "W/\"1\"", lastModified: dates[0]))
            #expect(try await store.refresh())
            #expect(try await !store.refresh())
            try server.serve(.init(#"{"a": 2}"#, lastModified: dates[0]))
            #expect(try await store.refresh())
            #expect(try await !store.refresh())
            try server.serve(.init(#"{ "a": 2 }"#, lastModified: dates[1]))
            #expect(try await !store.refresh())
            let requests = try await server.requests()
            #expect(requests.map { $0.headers["If-None-Match"] } == [nil, "W/\"1\"", "W/\"1\"", nil, nil])
            #expect(requests.map { $0.headers["If-Modified-Since"] } == [nil, nil, nil, dates[0], dates[0]])
            #expect(changes.soFar == [.names(["a"]), .names(["a"])])
        }
    }

    @Test("Observers are notified once of the changed names")
    func observersAreNotifiedOfChangedNames() async throws {
        try await PreferenceServer.run { server in
            let store = HTTPStore(url: server.url())
            let changes = StoreChanges(of: store)
            try server.serve(.init(#"{"same": 1, "other": 1, "gone": 1, "w": {"a": 1, "b": {"c": 1, "d": 1}}}"#))
            try await store.refresh()
            #expect(try await !store.refresh())
            try server.serve(.init(#"{"same": 1, "other": 2, "new": null, "w": {"a": 1, "b": {"c": 2, "d": 1}}}"#))
            try await store.refresh()
            try server.serve(.init("{}"))
            try await store.refresh()
            #expect(
                changes.soFar == [
                    .names(["same", "other", "gone", "w", "w:a", "w:b", "w:b:c", "w:b:d"]),
                    .names(["other", "gone", "new", "w", "w:b", "w:b:c"]),
                    .names(["same", "other", "new", "w", "w:a", "w:b", "w:b:c", "w:b:d"]),
                ]
            )
        }
    }

    @Test("Watchers are notified of each change once, and read the whole response")
    func watchersReadTheWholeResponse() async throws {
        try await PreferenceServer.run { server in
            let store = HTTPStore(url: server.url())
            let preferences = Preferences(store: store)
            let seen = Recorder<String>()
            preferences.watch(\.unit) { [preferences] in seen.add("unit \($0.new) at \(preferences.count)") }
            preferences.watch(\.count) { [preferences] in seen.add("count \($0.new) in \(preferences.unit)") }
            try server.serve(.init(#"{"weather": {"unit": "kelvin", "count": 1}}"#))
            try await store.refresh()
            try server.serve(.init(#"{"weather:unit": "kelvin", "weather:count": 2, "other": 1}"#))
            try await store.refresh()
            try server.serve(.init(#"{"weather": {"unit": "celsius"}}"#))
            try await store.refresh()
            #expect(Set(seen.all.prefix(2)) == ["unit kelvin at 1", "count 1 in kelvin"])
            #expect(seen.all.dropFirst(2).first == "count 2 in kelvin")
            #expect(Set(seen.all.dropFirst(3)) == ["unit celsius at 0", "count 0 in celsius"])
            #expect(seen.all.count == 5)
        }
    }
}

extension PreferenceAccessors {
    fileprivate var unit: String {
        self.get("weather:unit", default: "celsius")
    }
    fileprivate var count: Int {
        self.get("weather:count", default: 0)
    }
}
