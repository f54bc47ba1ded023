import PreferencesSystem

#if canImport(Combine)
    public import Combine

    extension PreferenceAccessors {
        /// Returns a Combine publisher of the changes of a key.
        ///
        /// ```swift
        /// weather.publisher(for: \.temperature, options: .initial).map(\.new).assign(to: &$temperature)
        /// ```
        ///
        /// Each subscription is a separate watcher, which is notified on the thread that makes a change. The publisher
        /// finishes when its ``Preferences`` are released; a subscription does not retain them.
        ///
        /// - Parameters:
        ///   - key: The key, or a computed property over several keys.
        ///   - options: Which changes and values are published; by default, each change with its new value.
        /// - Returns: The publisher.
        public func publisher<Value: Sendable>(
            for key: any KeyPath<Self, Value> & Sendable,
            options: PreferenceWatchOptions = .new
        ) -> PreferencePublisher<Value> {
            let reader = AccessorReader(self) { ValueBox($0[keyPath: key]) as any BoxedValue }
            return PreferencePublisher { [preferences] onEnd, body in
                preferences.register(
                    reader,
                    of: ValueBox<Value>.self,
                    keys: [key],
                    options: options,
                    onEnd: onEnd
                ) { body($0.unboxed()) }
            }
        }
    }

    /// A publisher of the changes of a key, which ``PreferenceAccessors/publisher(for:options:)`` returns.
    public struct PreferencePublisher<Value: Sendable>: Publisher {
        /// A change, with its values.
        public typealias Output = PreferenceChange<Value>
        /// Watching does not fail.
        public typealias Failure = Never

        /// Registers a watcher, with a closure that is called when it ends, and one that receives changes.
        typealias Registration = (
            _ onEnd: @escaping @Sendable () -> Void, _ body: @escaping (PreferenceChange<Value>) -> Void
        ) -> PreferenceWatcher

        private let register: Registration

        init(register: @escaping Registration) {
            self.register = register
        }

        /// Registers a watcher for a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
            let subscription = PreferenceSubscription(subscriber)
            subscriber.receive(subscription: subscription)
            subscription.begin(register)
        }
    }

    private final class PreferenceSubscription<Value: Sendable>: Subscription, Sendable {
        private let queue: DemandQueue<PreferenceChange<Value>>
        private let finish: @Sendable () -> Void
        private let watcher = Locked<(watcher: PreferenceWatcher?, isCancelled: Bool)>((nil, false))

        init<S: Subscriber>(_ subscriber: S) where S.Input == PreferenceChange<Value>, S.Failure == Never {
            let calls = SubscriberCalls(
                receive: { subscriber.receive($0) },
                finish: { subscriber.receive(completion: .finished) }
            )
            queue = DemandQueue { calls.receive($0).max }
            finish = { calls.finish() }
        }

        func begin(_ register: PreferencePublisher<Value>.Registration) {
            let queue = queue
            let new = register({ [weak self] in self?.end() }, { queue.add($0) })
            let isCancelled = watcher.withLock { state in
                state.watcher = new
                return state.isCancelled
            }
            if isCancelled { new.cancel() }
        }

        func request(_ demand: Subscribers.Demand) {
            queue.request(demand.max)
        }

        func cancel() {
            let old = watcher.withLock { state in
                defer { state = (nil, true) }
                return state.watcher
            }
            queue.cancel()
            old?.cancel()
        }

        /// Called when the watcher has ended.
        private func end() {
            let isCancelled = watcher.withLock { state in
                defer { state = (nil, true) }
                return state.isCancelled
            }
            if !isCancelled { finish() }
        }
    }

    /// The calls of a subscriber of any type.
    private struct SubscriberCalls<Value: Sendable>: Sendable {
        // Unchecked, because Combine's subscribers are not `Sendable`. `DemandQueue` calls `receive` by one thread at a
        // time, and `finish` is called once, when the watcher has ended.
        nonisolated(unsafe) let receive: (PreferenceChange<Value>) -> Subscribers.Demand
        nonisolated(unsafe) let finish: () -> Void
    }
#endif

/// A queue of elements for a consumer that requests a number of them, as a Combine subscriber does.
///
/// The consumer is called by one thread at a time, with no lock held, and may request more elements while it is called.
/// Elements are released with no lock held, since their `deinit` may use the queue.
final class DemandQueue<Element: Sendable>: Sendable {
    private struct State {
        /// The number of requested elements that have not been sent; nil for unlimited.
        var demand: Int? = 0
        /// The waiting elements: the oldest in `oldest`, in reverse order, and the others in `newest`. With two arrays,
        /// removing the first element takes amortized constant time.
        var oldest: [Element] = []
        var newest: [Element] = []
        var isSending = false
        var isCancelled = false
    }

    private let state = Locked(State())
    /// Sends an element to the consumer, and returns the number of further elements that it requests; nil for
    /// unlimited.
    private let send: @Sendable (Element) -> Int?

    init(_ send: @escaping @Sendable (Element) -> Int?) {
        self.send = send
    }

    /// Adds an element, and sends the requested elements.
    func add(_ element: Element) {
        state.withLock { state in
            if !state.isCancelled { state.newest.append(element) }
        }
        sendRequested()
    }

    /// Requests more elements; nil for all.
    func request(_ count: Int?) {
        state.withLock { Self.add(count, to: &$0.demand) }
        sendRequested()
    }

    /// Stops sending, and releases the waiting elements.
    func cancel() {
        _ = state.withLock { state -> [[Element]] in
            defer { (state.oldest, state.newest) = ([], []) }
            state.isCancelled = true
            return [state.oldest, state.newest]
        }
    }

    private func sendRequested() {
        var isFirst = true
        while let element = next(isFirst) {
            isFirst = false
            let count = send(element)
            state.withLock { Self.add(count, to: &$0.demand) }
        }
    }

    /// Returns the next element to send; nil if none is requested, or if another call is sending, on this thread or
    /// another one.
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
        guard let count, let old = demand else {
            demand = nil
            return
        }
        let (sum, overflows) = old.addingReportingOverflow(count)
        demand = overflows ? nil : sum
    }
}
