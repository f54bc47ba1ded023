import Foundation
import PreferencesSystem
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesRuntime

/// Makes a file unreachable, by replacing it by a link to itself. Its place is never empty, where a store that writes
/// later would create a file.
struct UnreachableFile {
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
    /// Edits a file as an editor does, which replaces it by another file.
    static func saveAsAnEditor(
        _ url: URL,
        _ format: FileStore.Format? = nil,
        _ layout: FileStore.Layout = .flat,
        _ edit: (FileStore) throws -> Void
    ) throws {
        let draft = url.appendingPathExtension("draft")
        try? FileManager.default.copyItem(at: url, to: draft)
        let editor = FileStore(url: draft, format: format, layout: layout)
        try edit(editor)
        try editor.flush()
        try FileManager.default.removeItem(at: url)
        try FileManager.default.moveItem(at: draft, to: url)
    }
}

/// Evaluates a condition whenever a file changes.
final class FileObserver {
    private let stream: AsyncStream<Void>
    private let watcher: FileWatcher

    init(_ url: URL) {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        self.stream = stream
        watcher = FileWatcher(path: url.filePath)
        watcher.startOrStop(isNeeded: { true }) { _ in continuation.yield() }
    }

    func wait(until isTrue: () -> Bool) async {
        while !isTrue() { _ = await stream.first { _ in true } }
    }
}
