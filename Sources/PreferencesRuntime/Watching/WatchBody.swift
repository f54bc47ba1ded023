/// The body of a watcher, and the actor that it is isolated to.
///
/// A function whose type has its isolation in it must be waited for. A watcher's queue calls it where it belongs, so that
/// there is nothing to wait for. The types with and without isolation have one representation; `assumeIsolated` of the
/// standard library casts in the same way.
struct WatchBody<Element> {
    let isolation: (any Actor)?
    let call: (Element) -> Void

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
