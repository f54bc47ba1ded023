/// A type-erased watched value.
///
/// The code between the reader of a value and the bodies of its watchers is not generic, because looking up a generic
/// type at run time takes a tenth of the time of a set. Readers and bodies are specialized where the watcher is
/// registered.
@usableFromInline
protocol BoxedValue: AnyObject, Sendable {
    /// Returns whether two values of one type are equal; false if the type is not `Equatable`.
    func isEqual(to other: any BoxedValue) -> Bool
}

/// A boxed value of a type.
@usableFromInline
@_fixed_layout
final class ValueBox<Value: Sendable>: BoxedValue {
    @usableFromInline let value: Value

    @inlinable
    init(_ value: Value) {
        self.value = value
    }

    /// Returns the value in a box of this type.
    @inlinable
    static func value(in box: any BoxedValue) -> Value {
        unsafeDowncast(box, to: ValueBox.self).value
    }

    @usableFromInline
    func isEqual(to other: any BoxedValue) -> Bool {
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
    /// The old value; nil if the watcher does not need it.
    @usableFromInline let old: (any BoxedValue)?
    @usableFromInline let new: any BoxedValue
    /// The origin; nil for a change of the `Preferences` themselves. An object, since a change without one must cost
    /// nothing.
    @usableFromInline let boxedOrigin: OriginBox?

    @usableFromInline var origin: PreferenceChangeOrigin { boxedOrigin?.origin ?? .own }

    /// Returns the change with its values of this type.
    @inlinable
    func unboxed<Value>(_ type: Value.Type = Value.self) -> PreferenceChange<Value> {
        PreferenceChange(old: old.map(ValueBox.value), new: ValueBox.value(in: new), origin: origin)
    }
}

/// The origin of changes that the `Preferences` have not made themselves.
@usableFromInline
final class OriginBox: Sendable {
    static let external = OriginBox(.external)
    static let initial = OriginBox(.initial)

    let origin: PreferenceChangeOrigin

    init(_ origin: PreferenceChangeOrigin) {
        self.origin = origin
    }
}
