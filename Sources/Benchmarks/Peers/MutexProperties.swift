import Synchronization

/// Settings that threads share, written by hand: a lock for each property.
final class MutexProperties: Sendable {
    private let lockedCount = Mutex(0)
    private let lockedText = Mutex("")
    private let lockedCode = Mutex("")

    var count: Int {
        get { lockedCount.withLock { $0 } }
        set { lockedCount.withLock { $0 = newValue } }
    }

    var text: String {
        get { lockedText.withLock { $0 } }
        set { lockedText.withLock { $0 = newValue } }
    }

    var code: String {
        get { lockedCode.withLock { $0 } }
        set { lockedCode.withLock { $0 = newValue } }
    }
}
