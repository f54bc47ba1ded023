import Foundation
import TestSupport

/// Runs a body with a server, and the URL of a cache in a folder of its own.
func withCache(
    file: String = #fileID,
    line: Int = #line,
    _ body: (PreferenceServer, URL) async throws -> Void
) async throws {
    try await PreferenceServer.run { server in
        try await withTemporaryDirectory(file: file, line: line) { folder in
            try await body(server, folder.appending(components: "caches", "weather.json"))
        }
    }
}
