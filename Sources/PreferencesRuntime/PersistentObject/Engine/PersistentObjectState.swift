/// What a ``PersistentObject`` knows of its value.
struct PersistentObjectState<Value: Codable & Sendable>: Sendable {
    var value: Value?
    /// How often it was reset.
    var resetCount: UInt64 = 0
    /// Whether it was reset since it was last loaded or saved.
    var isChanged = false
    /// What was stored when it was last loaded or saved; at first nothing.
    var seen = StoredLook.nothing
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

/// What is stored, to tell whether it is another thing than before. Types need not be `Equatable` for that: a value is
/// always encoded the same.
enum StoredLook: Sendable {
    case nothing
    case value(PreferenceValue)
    /// Something that does not encode, although it was decoded.
    case unknown

    init(_ value: (some Codable & Sendable)?) {
        guard let value else {
            self = .nothing
            return
        }
        self = (try? CodedValue(value: value).preferenceValue()).map { .value($0) } ?? .unknown
    }

    func isSame(as other: StoredLook) -> Bool {
        switch (self, other) {
        case (.nothing, .nothing): true
        case (.value(let value), .value(let other)): value.isIdentical(to: other)
        default: false
        }
    }
}
