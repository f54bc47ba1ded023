import Foundation
import TestSupport

/// Runs a body with the place of a file, in a folder of its own that is gone afterwards.
func withFile(
    file: String = #fileID,
    line: Int = #line,
    _ body: (URL) async throws -> Void
) async throws {
    try await withTemporaryDirectory(file: file, line: line) { folder in
        try await body(folder.appending(component: "preferences.json"))
    }
}
