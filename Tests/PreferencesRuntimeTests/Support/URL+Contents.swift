import Foundation
import Testing

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
