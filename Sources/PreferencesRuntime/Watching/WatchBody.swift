/// The body of a watcher, and the actor that it is isolated to.
///
/// A function whose type has its isolation in it must be awaited. A watcher's queue calls the body in its context, so that there
/// is nothing to wait for. The types with and without isolation have one representation; `assumeIsolated` of the standard
/// library casts in the same way.
@frozen
@usableFromInline
struct WatchBody<Element> {
    @usableFromInline let isolation: (any Actor)?
    @usableFromInline let call: (Element) -> Void

    @inlinable
    init(_ isolation: (any Actor)?, _ call: @escaping (Element) -> Void) {
        self.isolation = isolation
        self.call = call
    }

    @inlinable
    init(_ body: @escaping @isolated(any) (Element) -> Void) {
        isolation = body.isolation
        call = unsafeBitCast(body, to: ((Element) -> Void).self)
    }

    init(_ body: @escaping @isolated(any) () -> Void) {
        isolation = body.isolation
        let plain = unsafeBitCast(body, to: (() -> Void).self)
        call = { _ in plain() }
    }
}
