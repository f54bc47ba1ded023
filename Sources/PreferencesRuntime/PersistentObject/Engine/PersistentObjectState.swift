/// What a ``PersistentObject`` knows of its value.
struct PersistentObjectState<Value: Codable & Sendable>: Sendable {
    var value: Value?
    /// How often it was reset.
    var resetCount: UInt64 = 0
    /// Whether it was reset since it was last loaded or saved.
    var isChanged = false
    /// What was stored when it was last loaded or saved; at first nothing.
    var seen = StoredLook<Value>.nothing
    /// Why what is stored cannot be read.
    var loadProblem: PreferenceProblem?
    /// Whether it was reset when that was known, so that what cannot be read may be overwritten.
    var mayOverwriteUnreadable = false
    /// Whether others may have changed what is stored, and nobody has looked yet.
    var isOvertaken = false

    var watchers: [(id: UInt64, queue: WatchQueue, onEnd: @Sendable () -> Void)] = []
    var nextWatcherID: UInt64 = 0
    /// Whether the object has gone, so that there is nothing to tell any more.
    var isEnded = false
}

/// What is stored, to tell whether it is another thing than before.
///
/// Types need not be `Equatable` for that: values of others are told apart by what they encode as. Of those that are that
/// would not do, as sets of the same elements may encode in another order.
enum StoredLook<Value: Codable & Sendable>: Sendable {
    case nothing
    case value(Value)

    init(_ value: Value?) {
        self = value.map(Self.value) ?? .nothing
    }

    func isSame(as other: StoredLook) -> Bool {
        switch (self, other) {
        case (.nothing, .nothing): true
        case (.value(let value), .value(let other)): Self.areEqual(value, other)
        default: false
        }
    }

    private static func areEqual(_ first: Value, _ second: Value) -> Bool {
        func equal<T: Equatable>(_ first: T, _ second: Any) -> Bool { second as? T == first }
        if let first = first as? any Equatable, equal(first, second) { return true }
        // What has a NaN in it is not equal even to itself.
        guard let first = try? CodedValue(value: first).preferenceValue(),
            let second = try? CodedValue(value: second).preferenceValue()
        else { return false }
        return first.isIdentical(to: second)
    }
}
