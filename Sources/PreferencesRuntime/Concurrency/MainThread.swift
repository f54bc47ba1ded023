import Dispatch
import Foundation

/// The thread of the main actor.
enum MainThread {
    private static let mark: DispatchSpecificKey<Void> = {
        let key = DispatchSpecificKey<Void>()
        DispatchQueue.main.setSpecific(key: key, value: ())
        return key
    }()

    /// Whether the calling thread is it.
    static var isCurrent: Bool {
        // On Linux, a program with an asynchronous `main` gives up its first thread, and others work off the main queue.
        Thread.isMainThread || DispatchQueue.getSpecific(key: mark) != nil
    }
}
