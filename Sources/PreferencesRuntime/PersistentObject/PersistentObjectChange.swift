/// What others have made of the value that a ``PersistentObject`` keeps.
public struct PersistentObjectChange<Value: Sendable>: Sendable {
    /// The object's value when the change was seen.
    public let old: Value?
    /// What is stored now. It is the object's value, too, unless ``isConflict``.
    public let new: Value?
    /// Whether the object had a change of its own that was not saved, and keeps that: ``old`` is its value still, and
    /// is what is saved next. To have ``new`` instead, reset the object to it.
    public let isConflict: Bool

    /// Makes a change, as tests of what is done with one do.
    ///
    /// - Parameters:
    ///   - old: The object's value when the change was seen.
    ///   - new: What is stored now.
    ///   - isConflict: Whether the object keeps a change of its own.
    public init(old: Value?, new: Value?, isConflict: Bool = false) {
        self.old = old
        self.new = new
        self.isConflict = isConflict
    }
}

extension PersistentObjectChange: Equatable where Value: Equatable {}
extension PersistentObjectChange: Hashable where Value: Hashable {}
