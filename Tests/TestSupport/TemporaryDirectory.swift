package import Foundation

/// Runs a closure with a new folder, and removes the folder.
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

/// Runs an asynchronous closure with a new folder, and removes the folder.
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

/// Creates a folder that is named after the caller's source file, which shows the origin of a remaining folder.
private func makeTemporaryDirectory(in parent: URL, _ file: String, _ line: Int) throws -> URL {
    let source = file.split(separator: "/").last?.split(separator: ".").first ?? ""
    // The name is short, because the path of a socket has at most 103 bytes.
    let name = "preferences-tests-\(source.prefix(32))-\(line)-\(UUID().uuidString.prefix(8))"
    // Programs that print their working directory print the path without links.
    let folder = parent.resolvingSymlinksInPath().appending(component: name, directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
}

/// Removes a folder and its contents, if it exists.
///
/// Foundation fails if another thread, for example of a store, removes a file at the same time. Each further attempt
/// has at least one file less.
package func removeDirectory(_ folder: URL) throws {
    for _ in 0..<1_000 where FileManager.default.fileExists(atPath: folder.path) {
        try? FileManager.default.removeItem(at: folder)
    }
    if FileManager.default.fileExists(atPath: folder.path) { try FileManager.default.removeItem(at: folder) }
}
