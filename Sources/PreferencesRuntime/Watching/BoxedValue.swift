/// A type-erased watched value.
///
/// The code between the reader of a value and the bodies of its watchers is not generic, because looking up a generic type at
/// run time takes a tenth of the time of a set. Readers and bodies are specialized where the watcher is registered.
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

    init(old: (any BoxedValue)?, new: any BoxedValue) {
        self.old = old
        self.new = new
    }

    /// Returns the change with its values of this type.
    @inlinable
    func unboxed<Value>(_ type: Value.Type = Value.self) -> PreferenceChange<Value> {
        PreferenceChange(old: old.map(ValueBox.value), new: ValueBox.value(in: new))
    }
}

/// The body of a watcher, and the actor that it is isolated to.
///
/// A call of an `@isolated(any)` function must be awaited, but a watcher's queue already calls the body in its context. The types
/// with and without isolation have the same representation; `assumeIsolated` of the standard library casts in the same way.
@frozen
@usableFromInline
package struct WatchBody<Element> {
    @usableFromInline package let isolation: (any Actor)?
    @usableFromInline package let call: (Element) -> Void

    @inlinable
    init(_ isolation: (any Actor)?, _ call: @escaping (Element) -> Void) {
        self.isolation = isolation
        self.call = call
    }

    @inlinable
    package init(_ body: @escaping @isolated(any) (Element) -> Void) {
        isolation = body.isolation
        call = unsafeBitCast(body, to: ((Element) -> Void).self)
    }

    init(_ body: @escaping @isolated(any) () -> Void) {
        isolation = body.isolation
        let plain = unsafeBitCast(body, to: (() -> Void).self)
        call = { _ in plain() }
    }
}
