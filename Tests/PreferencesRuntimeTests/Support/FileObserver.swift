import Foundation
import PreferencesSystem
import StoreTestSupport
import TestSupport

@testable import PreferencesRuntime

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
