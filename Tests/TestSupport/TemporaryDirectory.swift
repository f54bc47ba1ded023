package import Foundation

/// Runs a body with a folder of its own, which is gone afterwards.
package func withTemporaryDirectory<Result>(
    in parent: URL = FileManager.default.temporaryDirectory,
    file: String = #fileID,
    line: Int = #line,
    _ body: (URL) throws -> Result
) throws -> Result {
    let folder = try makeTemporaryDirectory(in: parent, file, line)
    let result = Swift.Result { try body(folder) }
    try removeDirectory(folder)
    return try result.get()
}

/// Runs an asynchronous body with a folder of its own, which is gone afterwards.
package func withTemporaryDirectory<Result>(
    in parent: URL = FileManager.default.temporaryDirectory,
    file: String = #fileID,
    line: Int = #line,
    _ body: (URL) async throws -> Result
) async throws -> Result {
    let folder = try makeTemporaryDirectory(in: parent, file, line)
    let result: Swift.Result<Result, any Error>
    do { result = .success(try await body(folder)) } catch { result = .failure(error) }
    try removeDirectory(folder)
    return try result.get()
}

/// Names the folder after the caller's source, so that a folder that is left behind can be traced.
private func makeTemporaryDirectory(in parent: URL, _ file: String, _ line: Int) throws -> URL {
    let source = file.split(separator: "/").last?.split(separator: ".").first ?? ""
    // Short: a socket in it must have a path of at most 103 bytes.
    let name = "preferences-tests-\(source.prefix(32))-\(line)-\(UUID().uuidString.prefix(8))"
    // Programs that run in the folder, and print where they are, print the path without links.
    let folder = parent.resolvingSymlinksInPath().appending(component: name, directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
}

/// Removes a folder with all that is in it, if it is there.
///
/// Foundation gives up where a file that it was about to remove has just been removed by another thread, as stores do
/// with files of their own. Each attempt after that has at least one file less before it.
package func removeDirectory(_ folder: URL) throws {
    for _ in 0..<1_000 where FileManager.default.fileExists(atPath: folder.path) {
        try? FileManager.default.removeItem(at: folder)
    }
    if FileManager.default.fileExists(atPath: folder.path) { try FileManager.default.removeItem(at: folder) }
}
