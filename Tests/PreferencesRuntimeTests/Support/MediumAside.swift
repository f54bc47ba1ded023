import Foundation
import PreferencesRuntime
import TestSupport
import Testing

/// Has a file be out of reach, with a link to itself in its place. There is always something: a store that writes by itself
/// would make a file where there is none.
struct MediumAside {
    private let url: URL
    private let aside: URL
    private let loop: URL

    init(_ url: URL) {
        self.url = url
        aside = url.appendingPathExtension("aside")
        loop = url.appendingPathExtension("loop")
    }

    @Sendable func put() throws {
        try FileManager.default.linkItem(at: url, to: aside)
        try FileManager.default.createSymbolicLink(
            atPath: loop.filePath,
            withDestinationPath: url.lastPathComponent
        )
        try #require(rename(loop.filePath, url.filePath) == 0)
    }

    @Sendable func putBack() throws {
        try #require(rename(aside.filePath, url.filePath) == 0)
    }
}

extension FileStore {
    /// Edits a file as an editor saves: another file takes the place of this one.
    static func saveAsAnEditor(
        _ url: URL,
        _ format: FileStore.Format? = nil,
        _ edit: (FileStore) throws -> Void
    ) throws {
        let draft = url.appendingPathExtension("draft")
        try? FileManager.default.copyItem(at: url, to: draft)
        let editor = FileStore(url: draft, format: format)
        try edit(editor)
        try editor.flush()
        try FileManager.default.removeItem(at: url)
        try FileManager.default.moveItem(at: draft, to: url)
    }
}
