package import Foundation

/// Runs a body with a folder of its own, which is gone afterwards.
package func withTemporaryDirectory<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = try makeTemporaryDirectory()
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
}

/// Runs an asynchronous body with a folder of its own, which is gone afterwards.
package func withTemporaryDirectory<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
    let folder = try makeTemporaryDirectory()
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
}

private func makeTemporaryDirectory() throws -> URL {
    let name = "preferences-tests-\(UUID().uuidString)"
    // Programs that run in the folder, and print where they are, print the path without links.
    let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
        .appending(component: name, directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
}
