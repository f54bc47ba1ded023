import PreferencesSystem

/// Elements for a consumer that requests a number of them, as a Combine subscriber does. The others wait.
///
/// The consumer is called by one thread at a time, and with no lock held; it may request more while it is called.
/// Elements are released with no lock held, since their `deinit` may use the queue.
final class DemandQueue<Element: Sendable>: Sendable {
    private struct State {
        /// The number of elements that were requested and not sent yet; nil for all.
        var demand: Int? = 0
        /// The elements that wait: the oldest are in `oldest`, the last one first, and the others in `newest`. Taking one
        /// from both arrays costs the same however many wait.
        var oldest: [Element] = []
        var newest: [Element] = []
        var isSending = false
        var isCancelled = false
    }

    private let state = Locked(State())
    /// Takes an element, and returns how many more it requests; nil for all.
    private let send: @Sendable (Element) -> Int?

    init(_ send: @escaping @Sendable (Element) -> Int?) {
        self.send = send
    }

    /// Adds an element, and sends the elements that are requested.
    func add(_ element: Element) {
        state.withLock { state in
            if !state.isCancelled { state.newest.append(element) }
        }
        sendWanted()
    }

    /// Requests more elements, to be sent now and later; nil for all.
    func request(_ count: Int?) {
        state.withLock { Self.add(count, to: &$0.demand) }
        sendWanted()
    }

    /// Ends the sending, and releases the elements that wait.
    func cancel() {
        _ = state.withLock { state -> [[Element]] in
            defer { (state.oldest, state.newest) = ([], []) }
            state.isCancelled = true
            return [state.oldest, state.newest]
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

    /// Returns the next element to send; nil if none is requested or another call, on this thread or another, is sending.
    private func next(_ isFirst: Bool) -> Element? {
        state.withLock { state in
            guard !isFirst || !state.isSending else { return nil }
            if state.oldest.isEmpty {
                state.oldest = state.newest.reversed()
                state.newest = []
            }
            state.isSending = !state.oldest.isEmpty && state.demand != 0
            guard state.isSending else { return nil }
            if let demand = state.demand { state.demand = demand - 1 }
            return state.oldest.removeLast()
        }
    }

    private static func add(_ count: Int?, to demand: inout Int?) {
        guard let count, let old = demand else { return demand = nil }
        let (sum, overflows) = old.addingReportingOverflow(count)
        demand = overflows ? nil : sum
    }
}
