/// What a ``PersistentObject`` knows of its value.
struct PersistentObjectState<Value: Codable & Sendable>: Sendable {
    var value: UserReference<Value>?
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

    var watchers:
        [(id: UInt64, queue: WatchQueue<PersistentObjectChange<Value>>, onEnd: UserReference<@Sendable () -> Void>)] =
            []
    var nextWatcherID: UInt64 = 0
    /// Whether the object has gone, so that there is nothing to tell any more.
    var isEnded = false
}

/// What is stored, to tell whether it is another thing than before, by what it encodes as: a value that is an object may have
/// changed since, and `==` of a type may mean less than that all is the same.
enum StoredLook<Value: Codable & Sendable>: Sendable {
    case nothing
    case value(UserReference<Value>, encoding: PreferenceValue)
    /// Something that does not encode, although it was decoded.
    case unknown

    init(_ value: Value?) {
        guard let value else {
            self = .nothing
            return
        }
        self =
            (try? CodedValue(value: value).preferenceValue())
            .map { .value(UserReference(value), encoding: $0) } ?? .unknown
    }

    func isSame(as other: StoredLook) -> Bool {
        switch (self, other) {
        case (.nothing, .nothing): true
        case (.value(let value, let encoding), .value(let other, let otherEncoding)):
            // Sets of the same elements may encode in another order.
            encoding.isIdentical(to: otherEncoding)
                || (encoding.isReordering(of: otherEncoding) && Self.areEqual(value.value, other.value))
        default: false
        }
    }

    private static func areEqual(_ first: Value, _ second: Value) -> Bool {
        func equal<T: Equatable>(_ first: T, _ second: Any) -> Bool { second as? T == first }
        return (first as? any Equatable).map { equal($0, second) } ?? false
    }
}

extension PreferenceValue {
    /// Whether this has the same as another, were it not for the order of arrays' elements.
    fileprivate func isReordering(of other: PreferenceValue) -> Bool {
        orderless.isIdentical(to: other.orderless)
    }

    /// With the elements of all arrays in one order.
    private var orderless: PreferenceValue {
        switch self {
        case .array(let elements):
            let sorted = elements.map(\.orderless).map { (text: "\($0)", value: $0) }.sorted { $0.text < $1.text }
            return .array(sorted.map(\.value))
        case .dictionary(let entries): return .dictionary(entries.mapValues(\.orderless))
        default: return self
        }
    }
}
