import Dispatch

/// The changes that one watcher is to be told of, in their order, and the place where it is told: one at a time.
///
/// It does not know their type. Looking up the types that depend on it would take half of the time that it takes to tell
/// of a change.
final class WatchQueue: Sendable {
    private struct State {
        var body: Body?
        /// Those that wait, the latest first, and after them those that came later, in their order.
        var next: [any Sendable] = []
        var waiting: [any Sendable] = []
        /// Whether a thread or a task is at it, or is about to be.
        var isDraining = false
    }

    /// What is called.
    private struct Body: @unchecked Sendable {  // Called in its place alone, by one at a time: see `drain`.
        let call: (any Sendable) -> Void
    }

    private let state: Locked<State>
    private let place: WatchPlace

    /// Makes a queue.
    ///
    /// - Parameters:
    ///   - place: Where the body runs.
    ///   - body: Is given what is added, all of which is of its type.
    init<Element: Sendable>(_ place: WatchPlace, _ body: @escaping (Element) -> Void) {
        self.place = place
        state = Locked(State(body: Body { body($0 as! Element) }))  // `add` is given elements of this type alone.
    }

    /// Whether its place is an actor that is gone.
    var isPlaceGone: Bool { place.isGone }

    /// Forgets the body, and what waits for it.
    func cancel() {
        // What the body has captured is released after the lock, and so are the values that wait.
        let old = state.withLock { state in
            defer {
                state.body = nil
                state.next = []
                state.waiting = []
            }
            return (state.body, state.next, state.waiting)
        }
        _ = old
    }

    func add(_ element: any Sendable) {
        state.withLock { state in
            if state.body != nil { state.waiting.append(element) }
        }
    }

    /// Has everything that waits delivered: before this returns, where this is the place for it and nobody else is at it.
    func deliver() {
        let isMine = state.withLock { state in
            // Whoever is at it takes all that waits, so nothing does in `next` otherwise.
            guard !state.isDraining, !state.waiting.isEmpty else { return false }
            state.isDraining = true
            return true
        }
        // Otherwise whoever is at it goes on with what was added, be it this thread, further up its stack.
        guard isMine else { return }
        switch place {
        case .writer: drain()
        case .actor(let reference):
            guard let actor = reference.actor else { return cancel() }
            if actor === MainActor.shared, MainThread.isCurrent { return drain() }
            // Detached, so that the body does not run with the task-local values of whoever happened to make a change.
            Task.detached { await self.drain(on: actor) }
        case .queue(let queue): queue.async { self.drain() }
        }
    }

    /// Keeps others from delivering, until `deliverReserved`.
    func reserve() {
        state.withLock { $0.isDraining = true }
    }

    /// Has everything that waits delivered before this returns. The caller runs in the watcher's place.
    func deliverReserved() {
        drain()
    }

    private func drain(on actor: isolated any Actor) {
        drain()
    }

    private func drain() {
        while let (element, body) = next() { body.call(element) }
    }

    private func next() -> (any Sendable, Body)? {
        state.withLock { state in
            if state.next.isEmpty {
                state.next = state.waiting.reversed()
                state.waiting = []
            }
            guard let body = state.body, let element = state.next.popLast() else {
                state.isDraining = false
                return nil
            }
            return (element, body)
        }
    }
}
