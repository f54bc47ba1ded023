import Synchronization

/// What one writes by hand for settings with names: a lock for all of them.
final class MutexDictionary: Sendable {
    private let values = Mutex<[String: any Sendable]>([:])

    subscript<Value: Sendable>(name: String, type: Value.Type = Value.self) -> Value? {
        get { values.withLock { $0[name] as? Value } }
        set { values.withLock { $0[name] = newValue } }
    }
}
