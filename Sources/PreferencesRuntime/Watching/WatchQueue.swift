import Dispatch
import Foundation
import PreferencesSystem

/// The changes that one watcher is to be notified of, in their order, and the context in which it is: one at a time.
final class WatchQueue<Element: Sendable>: Sendable {
    private struct State {
        var body: Body?
        /// The change that is delivered next, and those that came later, in their order, after `head` that were delivered.
        var next: Element?
        var later: [Element?] = []
        var head = 0
        /// Whether a thread or a task delivers, or is about to.
        var isDraining = false

        mutating func append(_ element: Element) {
            if next == nil { next = element } else { later.append(element) }
        }

        mutating func popFirst() -> Element? {
            guard let first = next.take() else { return nil }
            if head < later.count {
                // Moved out, so that a delivered change is not released later, with the lock held.
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

    /// The body of a watcher.
    ///
    /// The conformance to `Sendable` is unchecked because the body may capture values that only its context may access. It is
    /// called in that context alone, and by one thread at a time: only the thread that has set `isDraining` calls it.
    private struct Body: @unchecked Sendable {  // See above.
        let call: (Element) -> Void
    }

    private let state: Locked<State>
    private let context: DeliveryContext
    /// Whether the body runs on the writer's thread. The context would be copied to find out, with its weak reference.
    private let runsOnWriter: Bool

    /// Creates a queue.
    ///
    /// - Parameters:
    ///   - context: Where the body runs.
    ///   - body: Receives what is added.
    init(_ context: DeliveryContext, _ body: @escaping (Element) -> Void) {
        self.context = context
        runsOnWriter = if case .writer = context { true } else { false }
        state = Locked(State(body: Body(call: body)))
    }

    /// Whether its context is an actor that was released.
    var isActorReleased: Bool { !runsOnWriter && context.isActorReleased }

    /// Releases the body, and what waits for it.
    func cancel() {
        // What the body has captured is released after the lock, and so are the values that wait.
        let old = state.withLock { state in
            let old = state
            state.body = nil
            (state.next, state.later, state.head) = (nil, [], 0)
            return old
        }
        _ = old
    }

    func add(_ element: Element) {
        state.withLock { state in
            if state.body != nil { state.append(element) }
        }
    }

    /// Delivers everything that waits: before this returns, if this is the context for it and no other thread delivers.
    func deliver() {
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
    /// - Returns: False if nothing waits, or another thread delivers: that one, which may be this thread further up its stack,
    ///   goes on with what was added.
    private func reserveIfNeeded() -> Bool {
        state.withLock { state in
            guard !state.isDraining, state.next != nil else { return false }
            state.isDraining = true
            return true
        }
    }

    /// Keeps others from delivering, until `deliverReserved`.
    func reserve() {
        state.withLock { $0.isDraining = true }
    }

    /// Delivers everything that waits before this returns. The caller runs in the queue's context.
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

/// Where the body of a watcher runs.
enum DeliveryContext: Sendable {
    /// On the thread that made the change.
    case writer
    case actor(ActorReference)
    case queue(DispatchQueue)

    /// An actor that its watchers do not retain.
    struct ActorReference: @unchecked Sendable {  // Weak references are atomic, and actors are Sendable.
        weak var actor: (any Actor)?
    }

    /// On an actor, or without one, on the writer's thread.
    init(_ actor: (any Actor)?) {
        self = actor.map { .actor(ActorReference(actor: $0)) } ?? .writer
    }

    /// Whether it is an actor that was released.
    var isActorReleased: Bool {
        if case .actor(let reference) = self { reference.actor == nil } else { false }
    }

    /// Whether code with an isolation runs in this context.
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
        // On Linux, a program with an asynchronous `main` gives up its first thread, and others serve the main queue.
        Thread.isMainThread || DispatchQueue.getSpecific(key: mark.key) != nil
    }
}
