/// Elements for a consumer who says how many it will take, as a Combine subscriber does. Those that it did not ask for yet
/// wait.
///
/// The consumer is called by one thread at a time, and with no lock held; it may ask for more while it is called.
final class DemandQueue<Element: Sendable>: Sendable {
    private struct State {
        /// How many more are wanted; nil for all.
        var demand: Int? = 0
        var waiting: [Element] = []
        var isSending = false
        var isCancelled = false
    }

    private let state = Locked(State())
    /// Takes an element, and says how many more it wants; nil for all.
    private let send: @Sendable (Element) -> Int?

    init(_ send: @escaping @Sendable (Element) -> Int?) {
        self.send = send
    }

    /// Adds an element, and sends what is wanted.
    func add(_ element: Element) {
        state.withLock { state in
            if !state.isCancelled { state.waiting.append(element) }
        }
        sendWanted()
    }

    /// Sends so many more, now and later; nil for all.
    func request(_ count: Int?) {
        state.withLock { Self.add(count, to: &$0.demand) }
        sendWanted()
    }

    /// Sends nothing more.
    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            state.waiting = []
        }
    }

    private func sendWanted() {
        var isFirst = true
        while let element = next(isFirst) {
            isFirst = false
            let count = send(element)
            state.withLock { Self.add(count, to: &$0.demand) }
        }
    }

    /// The next that is wanted, unless another call, on this thread or another, is at it.
    private func next(_ isFirst: Bool) -> Element? {
        state.withLock { state in
            guard !isFirst || !state.isSending else { return nil }
            state.isSending = !state.waiting.isEmpty && state.demand != 0
            guard state.isSending else { return nil }
            if let demand = state.demand { state.demand = demand - 1 }
            return state.waiting.removeFirst()
        }
    }

    private static func add(_ count: Int?, to demand: inout Int?) {
        guard let count, let old = demand else { return demand = nil }
        demand = old + count
    }
}
