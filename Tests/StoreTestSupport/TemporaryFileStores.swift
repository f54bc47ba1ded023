package import Foundation
package import PreferencesRuntime
import TestSupport

/// Runs a body with the URL of a file in a temporary folder, which is then removed.
package func withFile(
    file: String = #fileID,
    line: Int = #line,
    _ body: (URL) async throws -> Void
) async throws {
    try await withTemporaryDirectory(file: file, line: line) { folder in
        try await body(folder.appending(component: "preferences.json"))
    }
}

extension FileStore {
    /// Returns a store that writes only when it is flushed or released.
    package static func patient(_ url: URL) -> FileStore {
        FileStore(url: url, durability: .coalesced(milliseconds: 3_600_000))
    }
}

extension URL {
    /// The path, without percent encoding.
    package var filePath: String { path(percentEncoded: false) }

    /// Returns the text of the file.
    package func text() throws -> String {
        String(decoding: try Data(contentsOf: self), as: UTF8.self)
    }

    /// Writes the file in place.
    package func write(_ text: String) throws {
        try Data(text.utf8).write(to: self)
    }

    /// Returns the names in the folder, sorted.
    package func contentsOfFolder() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: filePath).sorted()
    }

    /// Returns the permissions of the file.
    package func mode() throws -> Int {
        let permissions = try FileManager.default.attributesOfItem(atPath: filePath)[.posixPermissions] as? Int
        guard let permissions else { throw MissingPermissions(path: filePath) }
        return permissions
    }
}

/// A file whose attributes do not include its permissions.
private struct MissingPermissions: Error {
    var path: String
}
