import Dispatch
import Foundation

/// The thread of the main actor.
enum MainThread {
    /// The key that marks the main queue.
    ///
    /// `DispatchSpecificKey` has no mutable state, but in Swift 6.1 it is not `Sendable` on Linux.
    private struct QueueMark: @unchecked Sendable {
        let key = DispatchSpecificKey<Void>()

        init() {
            DispatchQueue.main.setSpecific(key: key, value: ())
        }
    }

    private static let mark = QueueMark()

    /// Whether the calling thread is the main actor's.
    static var isCurrent: Bool {
        // On Linux, a program with an asynchronous `main` gives up its first thread, and others serve the main queue.
        Thread.isMainThread || DispatchQueue.getSpecific(key: mark.key) != nil
    }
}
