import Foundation
import Testing

/// Runs a body with a folder of its own, which is gone afterwards.
func withTemporaryDirectory<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = try makeTemporaryDirectory()
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
}

/// Runs an asynchronous body with a folder of its own, which is gone afterwards.
func withTemporaryDirectory<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
    let folder = try makeTemporaryDirectory()
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
}

private func makeTemporaryDirectory() throws -> URL {
    let name = "preferences-tests-\(UUID().uuidString)"
    let folder = FileManager.default.temporaryDirectory.appending(component: name, directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    return folder
}

extension URL {
    /// The path as the system has it.
    var filePath: String { path(percentEncoded: false) }

    /// What is in the file, as text.
    func text() throws -> String {
        String(decoding: try Data(contentsOf: self), as: UTF8.self)
    }

    func write(_ text: String) throws {
        try Data(text.utf8).write(to: self)
    }

    /// The names in the folder, sorted.
    func contentsOfFolder() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: filePath).sorted()
    }

    /// The permissions of the file.
    func mode() throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: filePath)[.posixPermissions] as? Int)
    }
}
