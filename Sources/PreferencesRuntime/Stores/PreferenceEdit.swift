/// What becomes of one name in a batch of changes.
public enum PreferenceEdit: Sendable, Hashable {
    /// The name gets this value. ``PreferenceValue/null`` is one too.
    case set(PreferenceValue)
    /// The name is no longer set.
    case remove

    /// Creates the edit that leaves a name with a value, or without one.
    init(_ value: PreferenceValue?) {
        self = value.map { .set($0) } ?? .remove
    }

    /// The value that the name has after the edit; nil if it is removed.
    public var value: PreferenceValue? {
        switch self {
        case .set(let value): value
        case .remove: nil
        }
    }
}
