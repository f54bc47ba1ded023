import Foundation
import PreferencesRemote
import PreferencesRuntime
import StoreTestSupport
import TestSupport
import Testing

/// Caches that cannot be used.
struct HTTPStoreCacheFaultTests {
    @Test func aDamagedCacheIsToldAndSetAsideByTheNextAnswer() async throws {
        try await withCache { server, cache in
            let folder = cache.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(#"{"served": {"bo"#.utf8).write(to: cache)
            // Not by an editor that is still at it.
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

    @Test(arguments: [#""served": 7"#, #""served": null"#, #""served": {"format": "json"}"#, #""body": "{}""#])
    func aCacheThatIsSomethingElseIsAsNone(entry: String) async throws {
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

    @Test func whatIsNoHeaderIsNotSent() async throws {
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

    @Test func valuesThatCannotBeKeptAreInForceAndFetchedAgain() async throws {
        try await withCache { server, cache in
            // A folder where the file should be.
            try FileManager.default.createDirectory(at: cache, withIntermediateDirectories: true)
            try server.serve(.init(#"{"a": 1}"#, etag: "\"1\""))
            let store = HTTPStore(url: server.url(), cache: cache)
            let changes = StoreChanges(of: store)
            #expect(try await store.refresh())
            #expect(try store.value(for: "a") == 1)
            guard case .problem(let problem)? = changes.soFar.last else { throw CancellationError() }
            #expect(problem.store == store.label)
            #expect(problem.message.hasPrefix("the values are in force, but could not be kept in \(cache.path) ("))
            #expect(problem.message.hasSuffix("); the next refresh tries it again"))
            try FileManager.default.removeItem(at: cache)
            #expect(try await !store.refresh())
            #expect(HTTPStore(url: server.url(), cache: cache).names() == ["a"])
            #expect(try await server.requests().map { $0.headers["If-None-Match"] } == [nil, nil])
        }
    }
}
