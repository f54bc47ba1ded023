import Foundation

/// A cell of any type, whose values are behind a lock: nothing is faster for what is reference-counted.
@usableFromInline
final class ValueCell<Value: Sendable>: Cell, @unchecked Sendable {  // As `Cell`: what it adds is locked.
    @usableFromInline let contents = Locked<Remembered<Value>>(.nothing)

    @inlinable
    func read() -> Remembered<Value> {
        contents.withLock { $0 }
    }

    override func recall<Other>(_ type: Other.Type) -> Remembered<Other> {
        guard let contents = read() as? Remembered<Other> else {
            fatalError("\(Other.self) is not this cell's type, \(Value.self)")
        }
        return contents
    }

    override func forget() {
        super.forget()
        var old = Remembered<Value>.nothing
        contents.withLock { swap(&$0, &old) }
        guard case .value = old, !endsQuietly else { return }
        // Its end may run code of the user's, which may read keys: not here, where `state` is locked.
        DeferredNotifications.perform { withExtendedLifetime(old) {} }
    }

    /// Whether the end of a value is known to run nobody's code, as of nearly all keys.
    private let endsQuietly =
        [
            String.self, String?.self, [String].self, [String]?.self, [String: String].self, Set<String>.self,
            URL.self, URL?.self, [URL].self, [Int].self, [Double].self,
        ].contains { $0 == Value.self }

    override func rememberUnset() {
        super.rememberUnset()
        contents.withLock { $0 = .unset }
    }

    override func remember<Other>(_ value: Other) {
        guard Other.self == Value.self else { fatalError("\(Other.self) is not this cell's type, \(Value.self)") }
        let value = withUnsafePointer(to: value) { UnsafeRawPointer($0).load(as: Value.self) }
        finish(.value)
        contents.withLock { $0 = .value(value) }
    }
}
