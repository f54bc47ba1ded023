import Synchronization

/// What one writes by hand for settings that several threads share: a lock for each property.
final class MutexProperties: Sendable {
    private let lockedCount = Mutex(0)
    private let lockedText = Mutex("")

    var count: Int {
        get { lockedCount.withLock { $0 } }
        set { lockedCount.withLock { $0 = newValue } }
    }

    var text: String {
        get { lockedText.withLock { $0 } }
        set { lockedText.withLock { $0 = newValue } }
    }
}
