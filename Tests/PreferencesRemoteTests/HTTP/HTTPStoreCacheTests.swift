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
    @Test("The next launch has the cached values, with or without a network", arguments: HTTPStore.Format.allCases)
    func cachedValuesAreAvailableOffline(format: HTTPStore.Format) async throws {
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
            #expect(refusal.message == "the connection to the host failed; the earlier values remain in effect")
            #expect(try third.value(for: "count") == 3)
        }
    }

    @Test("The cache of another URL is ignored")
    func cacheOfAnotherURLIsIgnored() async throws {
        try await withCache { server, cache in
            try server.serve(.init(#"{"a": 1}"#))
            try await HTTPStore(url: server.url("/preferences?user=ann"), cache: cache).refresh()
            #expect(try !String(contentsOf: cache, encoding: .utf8).contains("ann"))
            #expect(HTTPStore(url: server.url("/preferences?user=bob"), cache: cache).names().isEmpty)
            #expect(HTTPStore(url: server.url("/others?user=ann"), cache: cache).names().isEmpty)
            #expect(HTTPStore(url: server.url("/preferences?user=ann"), cache: cache).names() == ["a"])
        }
    }

    @Test("The cache is one entry of its file, and other entries are left unchanged")
    func cacheLeavesOtherEntriesUnchanged() async throws {
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

    @Test("Reloading reads a newer document that another store has fetched")
    func reloadReadsNewerDocuments() async throws {
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
            #expect(problem?.message.hasSuffix("; the earlier values remain in effect") == true)
            #expect(changes.soFar == [.names(["a"])])
        }
    }
}

/// Caches that cannot be read or written.
struct HTTPStoreCacheFaultTests {
    @Test("A damaged cache is reported, and set aside by the next response")
    func damagedCacheIsReportedAndSetAside() async throws {
        try await withCache { server, cache in
            let folder = cache.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(#"{"served": {"bo"#.utf8).write(to: cache)
            // Long enough ago that no editor is still writing the file.
            try FileManager.default.setAttributes([.modificationDate: Date.distantPast], ofItemAtPath: cache.path)
            try server.serve(.init(#"{"a": 1}"#))
            let store = HTTPStore(url: server.url(), cache: cache)
            #expect(store.names().isEmpty)
            let changes = StoreChanges(of: store)
            try await store.refresh()
            let problems = changes.soFar.compactMap { change in
                if case .problem(let problem) = change { problem } else { nil }
            }
            #expect(problems.map(\.code) == [.storeMalformed, .setAside])
            #expect(
                problems.first?.message
                    == "the cache \(cache.path) cannot be read (line 1, column 13: this string has no closing quote on its line); it "
                    + "is not used until the server has answered"
            )
            #expect(changes.soFar.contains(.names(["a"])))
            #expect(HTTPStore(url: server.url(), cache: cache).names() == ["a"])
            let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(files.contains { $0.hasPrefix("weather.json.corrupt-") })
        }
    }

    @Test(
        "A cache entry in another format is ignored",
        arguments: [#""served": 7"#, #""served": null"#, #""served": {"format": "json"}"#, #""body": "{}""#]
    )
    func invalidCacheEntryIsIgnored(entry: String) async throws {
        try await withCache { server, cache in
            let folder = cache.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data("{\(entry)}".utf8).write(to: cache)
            try server.serve(.init(#"{"a": 1}"#))
            let store = HTTPStore(url: server.url(), cache: cache)
            #expect(store.names().isEmpty)
            try await store.refresh()
            #expect(HTTPStore(url: server.url(), cache: cache).names() == ["a"])
        }
    }

    @Test("Cached validators that are not valid headers are not sent")
    func invalidHeadersAreNotSent() async throws {
        try await withCache { server, cache in
            try server.serve(.init(#"{"a": 1}"#, etag: "\"1\""))
            try await HTTPStore(url: server.url(), cache: cache).refresh()
            let text = try String(contentsOf: cache, encoding: .utf8)
            let forged = text.replacingOccurrences(of: #"\"1\""#, with: #"\"1\"\r\nX-Forged: 1"#)
            #expect(forged != text)
            try Data(forged.utf8).write(to: cache)
            let store = HTTPStore(url: server.url(), cache: cache)
            #expect(try await !store.refresh())
            let headers = try #require(try await server.requests().last).headers
            #expect(headers["If-None-Match"] == nil)
            #expect(headers["X-Forged"] == nil)
        }
    }

    @Test("Values that cannot be cached are in effect, and are fetched again")
    func valuesThatCannotBeCachedAreFetchedAgain() async throws {
        try await withCache { server, cache in
            // A folder in place of the file.
            try FileManager.default.createDirectory(at: cache, withIntermediateDirectories: true)
            try server.serve(.init(#"{"a": 1}"#, etag: "\"1\""))
            let store = HTTPStore(url: server.url(), cache: cache)
            let changes = StoreChanges(of: store)
            #expect(try await store.refresh())
            #expect(try store.value(for: "a") == 1)
            guard case .problem(let problem)? = changes.soFar.last else { throw CancellationError() }
            #expect(problem.store == store.label)
            #expect(problem.message.hasPrefix("the values are in effect, but could not be written to \(cache.path) ("))
            #expect(problem.message.hasSuffix("); the next refresh tries again"))
            try FileManager.default.removeItem(at: cache)
            #expect(try await !store.refresh())
            #expect(HTTPStore(url: server.url(), cache: cache).names() == ["a"])
            #expect(try await server.requests().map { $0.headers["If-None-Match"] } == [nil, nil])
        }
    }
}
