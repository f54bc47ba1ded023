import PreferencesSystem
import Dispatch
import PreferencesRuntime

/// What one thread gives, once, to another that waits for it.
final class Answer<Value: Sendable>: Sendable {
    private let value = Locked<Value?>(nil)
    private let isGiven = DispatchSemaphore(value: 0)

    func give(_ value: Value) {
        self.value.withLock { $0 = value }
        isGiven.signal()
    }

    /// - Returns: The value; nil where it was not given in time.
    func wait(atMost limit: Duration) -> Value? {
        _ = isGiven.wait(timeout: .now() + limit.interval)
        return value.withLock { $0 }
    }
}

extension Duration {
    /// For Dispatch.
    var interval: DispatchTimeInterval {
        .nanoseconds(Int(self / .nanoseconds(1)))
    }
}
