import Dispatch

/// The changes that one watcher is to be told of, in their order, and the place where it is told: one at a time.
final class WatchQueue<Element: Sendable>: Sendable {
    /// Where the body runs.
    enum Place: Sendable {
        /// On the thread of whoever made the change.
        case writer
        case actor(any Actor)
        case queue(DispatchQueue)
    }

    private struct State {
        /// Those that wait, the latest first, and after them those that came later, in their order.
        var next: [Element] = []
        var waiting: [Element] = []
        /// Whether a thread or a task is at it, or is about to be.
        var isDraining = false
        var isCancelled = false
    }

    /// A body that is only called in its place, and there by one at a time, which the compiler cannot see.
    private struct Body: @unchecked Sendable {
        let call: (Element) -> Void
    }

    private let state = Locked(State())
    private let place: Place
    private let body: Body

    init(_ place: Place, _ body: @escaping (Element) -> Void) {
        self.place = place
        self.body = Body(call: body)
    }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            state.next = []
            state.waiting = []
        }
    }

    func add(_ element: Element) {
        state.withLock { state in
            if !state.isCancelled { state.waiting.append(element) }
        }
    }

    /// Has everything that waits delivered: before this returns, where this is the place for it and nobody else is at it.
    ///
    /// - Parameter isInPlace: Whether the caller runs where the body is to run.
    func deliver(isInPlace: Bool) {
        let isMine = state.withLock { state in
            // Whoever is at it takes all that waits, so nothing does in `next` otherwise.
            guard !state.isDraining, !state.waiting.isEmpty else { return false }
            state.isDraining = true
            return true
        }
        // Otherwise whoever is at it goes on with what was added, be it this thread, further up its stack.
        guard isMine else { return }
        switch place {
        case _ where isInPlace: drain()
        case .writer: drain()
        case .actor(let actor) where actor === MainActor.shared && MainThread.isCurrent: drain()
        // Detached, so that the body does not run with the task-local values of whoever happened to make a change.
        case .actor(let actor): Task.detached { await self.drain(on: actor) }
        case .queue(let queue): queue.async { self.drain() }
        }
    }

    private func drain(on actor: isolated any Actor) {
        drain()
    }

    private func drain() {
        while let element = next() { body.call(element) }
    }

    private func next() -> Element? {
        state.withLock { state in
            if state.next.isEmpty {
                state.next = state.waiting.reversed()
                state.waiting = []
            }
            guard let element = state.next.popLast() else {
                state.isDraining = false
                return nil
            }
            return element
        }
    }
}
