/// A watched value, in an object of a type that only its watchers know.
///
/// What is between the reader of a value and the bodies of its watchers knows no type: at run time each lookup of a type that
/// depends on another takes a tenth of the time of a set. Readers and bodies are compiled where the watcher is registered.
@usableFromInline
@_fixed_layout
class BoxedValue: @unchecked Sendable {  // Subclasses have constants alone. `Sendable` is for final classes.
    /// The box of watchers that receive no value.
    static let nothing: BoxedValue = ValueBox(())

    @usableFromInline
    init() {}

    /// Whether the values, of one type, are equal; false if that is not `Equatable`.
    func isEqual(to other: BoxedValue) -> Bool { fatalError("BoxedValue is abstract") }
}

/// A boxed value of a type.
@usableFromInline
@_fixed_layout
final class ValueBox<Value: Sendable>: BoxedValue, @unchecked Sendable {
    @usableFromInline let value: Value

    @inlinable
    init(_ value: Value) {
        self.value = value
        super.init()
    }

    /// The value in a box that has this type.
    @inlinable
    static func value(in box: BoxedValue) -> Value {
        unsafeDowncast(box, to: ValueBox.self).value
    }

    override func isEqual(to other: BoxedValue) -> Bool {
        guard let equatable = value as? any Equatable else { return false }
        return equatable.isEqual(to: Self.value(in: other))
    }
}

extension Equatable {
    fileprivate func isEqual(to other: Any) -> Bool {
        (other as? Self) == self
    }
}

/// A change of a watched value.
@frozen
@usableFromInline
struct BoxedChange: Sendable {
    /// Nil if the watcher does not need it.
    @usableFromInline let old: BoxedValue?
    @usableFromInline let new: BoxedValue

    init(old: BoxedValue?, new: BoxedValue) {
        self.old = old
        self.new = new
    }

    /// The change, which has this type.
    @inlinable
    func unboxed<Value>(_ type: Value.Type = Value.self) -> PreferenceChange<Value> {
        PreferenceChange(old: old.map(ValueBox.value), new: ValueBox.value(in: new))
    }
}
