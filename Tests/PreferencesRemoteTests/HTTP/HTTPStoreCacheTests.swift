import Foundation
import PreferencesRemote
import PreferencesRuntime
import StoreTestSupport
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct HTTPStoreCacheTests {
    @Test(arguments: HTTPStore.Format.allCases)
    func theNextStartHasTheValuesBeforeAndWithoutANetwork(format: HTTPStore.Format) async throws {
        try await withCache { server, cache in
            let entries: [String: Any] = ["weather": ["temperature": 21.5], "count": 3]
            let body =
                try format == .json
                ? JSONSerialization.data(withJSONObject: entries)
                : PropertyListSerialization.data(fromPropertyList: entries, format: .binary, options: 0)
            try server.serve(.init(body, etag: "\"1\""))
            let first = HTTPStore(request: URLRequest(url: server.url()), format: format, cache: cache)
            #expect(PreferenceStoreCapabilities(unsupportedBy: first) == .writing)
            #expect(!FileManager.default.fileExists(atPath: cache.path))
            try await first.refresh()
            let second = HTTPStore(url: server.url(), cache: cache)
            #expect(try second.value(for: "weather:temperature") == 21.5)
            #expect(try await !second.refresh())
            #expect(try await server.requests().map { $0.headers["If-None-Match"] } == [nil, "\"1\""])
            try server.goOffline()
            let third = HTTPStore(url: server.url(), cache: cache)
            #expect(try third.value(for: "count") == 3)
            let refusal = try #require(try await third.refusal())
            #expect(refusal.message == "nothing answers there; the values from before stay in force")
            #expect(try third.value(for: "count") == 3)
        }
    }

    @Test func theCacheOfAnotherURLIsNotUsed() async throws {
        try await withCache { server, cache in
            try server.serve(.init(#"{"a": 1}"#))
            try await HTTPStore(url: server.url("/preferences?user=ann"), cache: cache).refresh()
            #expect(try !String(contentsOf: cache, encoding: .utf8).contains("ann"))
            #expect(HTTPStore(url: server.url("/preferences?user=bob"), cache: cache).names().isEmpty)
            #expect(HTTPStore(url: server.url("/others?user=ann"), cache: cache).names().isEmpty)
            #expect(HTTPStore(url: server.url("/preferences?user=ann"), cache: cache).names() == ["a"])
        }
    }

    @Test func theCacheIsOneEntryAndOthersAreLeftAlone() async throws {
        try await withCache { server, cache in
            try FileStore(url: cache, durability: .immediate).apply(["mine": .set(1)])
            try server.serve(.init(#"{"a": 1}"#, etag: "\"1\"", lastModified: "Sun, 22 Nov 2026 08:00:00 GMT"))
            try await HTTPStore(url: server.url(), cache: cache).refresh()
            let file = FileStore(url: cache)
            #expect(try file.names() == ["mine", "served"])
            guard case .dictionary(var entries)? = try file.value(for: "served") else { throw CancellationError() }
            for name in ["fetched", "fingerprint"] { #expect(entries.removeValue(forKey: name) != nil) }
            #expect(
                entries == [
                    "url": .string(server.url().absoluteString), "format": "json", "body": #"{"a": 1}"#,
                    "entityTag": "\"1\"", "lastModified": "Sun, 22 Nov 2026 08:00:00 GMT",
                ]
            )
        }
    }

    @Test func reloadingTakesOverWhatAnotherHasFetchedSince() async throws {
        try await withCache { server, cache in
            let (first, second) = (
                HTTPStore(url: server.url(), cache: cache), HTTPStore(url: server.url(), cache: cache)
            )
            let changes = StoreChanges(of: first)
            try server.serve(.init(#"{"a": 1}"#, etag: "\"1\""))
            try await second.refresh()
            #expect(first.names().isEmpty)
            try first.reload()
            #expect(changes.soFar == [.names(["a"])])
            #expect(try first.value(for: "a") == 1)
            try server.goOffline()
            try first.reload()
            try Data("{".utf8).write(to: cache)
            let problem = #expect(throws: PreferenceProblem.self) { try first.reload() }
            #expect(problem?.code == .storeMalformed)
            #expect(problem?.message.hasSuffix("; the values from before stay in force") == true)
            #expect(changes.soFar == [.names(["a"])])
        }
    }
}
