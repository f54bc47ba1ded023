package import Dispatch
import Foundation
import PreferencesSystem

/// A queue of changes that are delivered to one watcher, one at a time and in order, in its delivery context.
package final class WatchQueue<Element: Sendable>: Sendable {
    private struct State {
        var body: Body?
        /// The next change, and the later ones in order. The first `head` elements of `later` have been delivered.
        var next: Element?
        var later: [Element?] = []
        var head = 0
        /// Whether a thread or a task is delivering changes, or is about to.
        var isDraining = false

        mutating func append(_ element: Element) {
            if next == nil { next = element } else { later.append(element) }
        }

        mutating func popFirst() -> Element? {
            guard let first = next.take() else { return nil }
            if head < later.count {
                // Moved out, so that a delivered change is not released later, while the lock is held.
                next = later[head].take()
                head += 1
                if 2 * head >= later.count {
                    later.removeFirst(head)
                    head = 0
                }
            }
            return first
        }
    }

    /// The closure of a watcher, as a `Sendable` value.
    private struct Body: Sendable {
        // Unchecked, because it may capture values that only its context may access. It is called in that context
        // alone, and by one thread at a time: only the thread that has set `isDraining` calls it.
        nonisolated(unsafe) let call: (Element) -> Void
    }

    /// A weak reference to the object that a body receives.
    ///
    /// The conformance to `Sendable` is unchecked because the object may not be `Sendable`: the queue only tests whether
    /// it was released, and the body uses it in its context.
    private struct Receiver: @unchecked Sendable {
        weak var object: AnyObject?
        var isReleased: Bool { object == nil }
    }

    private let state: Locked<State>
    private let context: DeliveryContext
    /// Whether the body runs on the writer's thread. Testing the context would copy it, with its weak reference.
    private let runsOnWriter: Bool
    /// The object that the body receives, which the queue does not retain; nil for a body without one.
    private let receiver: Receiver?
    /// Whether a released actor or object ends the queue.
    private let mayLoseReceiver: Bool

    /// Creates a queue.
    ///
    /// - Parameters:
    ///   - context: The context in which the body runs.
    ///   - receiver: The object that the body receives, which is not retained; nil, the default, for none.
    ///   - body: Receives the changes.
    package init(_ context: DeliveryContext, receivedBy receiver: AnyObject? = nil, _ body: @escaping (Element) -> Void)
    {
        self.context = context
        runsOnWriter = if case .writer = context { true } else { false }
        self.receiver = receiver.map { Receiver(object: $0) }
        mayLoseReceiver = !runsOnWriter || receiver != nil
        state = Locked(State(body: Body(call: body)))
    }

    /// Whether the actor of the context, or the object that the body receives, was released.
    var isReceiverReleased: Bool {
        mayLoseReceiver && (context.isActorReleased || receiver?.isReleased == true)
    }

    /// Releases the body and the pending changes.
    package func cancel() {
        // The body and the changes are released after the lock.
        let old = state.withLock { state in
            let old = state
            state.body = nil
            (state.next, state.later, state.head) = (nil, [], 0)
            return old
        }
        _ = old
    }

    package func add(_ element: Element) {
        state.withLock { state in
            if state.body != nil { state.append(element) }
        }
    }

    /// Delivers the pending changes: before this returns if the caller runs in the context and no other thread
    /// delivers.
    package func deliver() {
        if runsOnWriter { return drain(isReserved: false) }
        switch context {
        case .writer: break
        case .actor(let reference):
            guard reserveIfNeeded() else { return }
            guard let actor = reference.actor else { return cancel() }
            if actor === MainActor.shared, MainThread.isCurrent { return deliverReserved() }
            // Detached, so that the body does not run with the task-local values of the thread that made the change.
            Task.detached { await self.drain(on: actor) }
        case .queue(let queue):
            guard reserveIfNeeded() else { return }
            queue.async { self.deliverReserved() }
        }
    }

    /// Reserves delivery for this call.
    ///
    /// - Returns: False if nothing waits, or another call delivers. That call, which may be further up the stack of
    ///   this thread, also delivers the changes that were added.
    private func reserveIfNeeded() -> Bool {
        state.withLock { state in
            guard !state.isDraining, state.next != nil else { return false }
            state.isDraining = true
            return true
        }
    }

    /// Prevents other calls from delivering until `deliverReserved`.
    func reserve() {
        state.withLock { $0.isDraining = true }
    }

    /// Delivers the pending changes before this returns. The caller must run in the queue's context.
    func deliverReserved() {
        drain(isReserved: true)
    }

    private func drain(on actor: isolated any Actor) {
        drain(isReserved: true)
    }

    private func drain(isReserved: Bool) {
        var isReserved = isReserved
        while let (element, body) = next(isReserved: isReserved) {
            isReserved = true
            body.call(element)
        }
    }

    /// Takes the next change.
    ///
    /// - Parameter isReserved: Whether this thread delivers already.
    private func next(isReserved: Bool) -> (Element, Body)? {
        state.withLock { state in
            if !isReserved, state.isDraining { return nil }
            guard let body = state.body, let element = state.popFirst() else {
                state.isDraining = false
                return nil
            }
            state.isDraining = true
            return (element, body)
        }
    }
}

/// The context in which the body of a watcher runs.
package enum DeliveryContext: Sendable {
    /// On the thread that made the change.
    case writer
    case actor(ActorReference)
    case queue(DispatchQueue)

    /// An actor that its watchers do not retain.
    package struct ActorReference: Sendable {
        weak var actor: (any Actor)?
    }

    /// Creates the context of an actor; nil for the writer's thread.
    package init(_ actor: (any Actor)?) {
        self = actor.map { .actor(ActorReference(actor: $0)) } ?? .writer
    }

    /// Whether it is an actor that was released.
    var isActorReleased: Bool {
        if case .actor(let reference) = self { reference.actor == nil } else { false }
    }

    /// Returns whether code with an isolation runs in this context.
    func isReached(from isolation: (any Actor)?) -> Bool {
        switch self {
        case .writer: true
        case .actor(let reference): isolation != nil && reference.actor === isolation
        case .queue: false
        }
    }
}

/// The thread of the main actor.
enum MainThread {
    /// The key that marks the main queue.
    ///
    /// `DispatchSpecificKey` has no mutable state, but in Swift 6.1 it is not `Sendable` on Linux.
    private struct QueueMark: @unchecked Sendable {
        let key = DispatchSpecificKey<Void>()

        init() {
            DispatchQueue.main.setSpecific(key: key, value: ())
        }
    }

    private static let mark = QueueMark()

    /// Whether the calling thread is the main actor's.
    static var isCurrent: Bool {
        // On Linux, a program with an asynchronous `main` exits its first thread, and other threads serve the main
        // queue.
        Thread.isMainThread || DispatchQueue.getSpecific(key: mark.key) != nil
    }
}

/// The body of a watcher, and the actor that it is isolated to.
///
/// A call of an `@isolated(any)` function must be awaited, but a watcher's queue already calls the body in its context.
/// The types with and without isolation have the same representation; `assumeIsolated` of the standard library casts in
/// the same way.
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

    /// Creates the body of a watcher that passes an object on, without retaining it.
    ///
    /// - Parameters:
    ///   - body: Receives the object.
    ///   - object: The object.
    init<Object: AnyObject>(_ body: @escaping @isolated(any) (Object) -> Void, receiving object: Object) {
        isolation = body.isolation
        let plain = unsafeBitCast(body, to: ((Object) -> Void).self)
        call = { [weak object] _ in if let object { plain(object) } }
    }

    /// Creates the body of a watcher that passes on an object, which it does not retain, and the change.
    ///
    /// - Parameters:
    ///   - body: Receives the object and the change.
    ///   - object: The object.
    ///   - change: Returns the change in the form that the body receives.
    package init<Object: AnyObject, Change>(
        _ body: @escaping @isolated(any) (Object, Change) -> Void,
        receiving object: Object,
        _ change: @escaping (Element) -> Change
    ) {
        isolation = body.isolation
        let plain = unsafeBitCast(body, to: ((Object, Change) -> Void).self)
        call = { [weak object] element in if let object { plain(object, change(element)) } }
    }

    /// Returns this body, which must have no isolation, or that to an actor.
    ///
    /// The compiler permits a body that is isolated to another actor, which would use an object that is not `Sendable`
    /// on both.
    func required(on actor: any Actor) -> Self {
        precondition(
            isolation == nil || isolation === actor,
            "a watcher with an object that is not Sendable must run on the actor that it is registered on"
        )
        return self
    }
}
