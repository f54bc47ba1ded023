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

#if canImport(Combine)
    public import Combine

    extension PreferenceAccessors {
        /// A Combine publisher of a key's changes.
        ///
        /// ```swift
        /// weather.publisher(for: \.temperature, options: .initial).map(\.new).assign(to: &$temperature)
        /// ```
        ///
        /// Each subscription is a watcher of its own, which is told on the thread of whoever makes a change, and ends
        /// with the subscription. It finishes with the ``Preferences``, which it does not keep alive once it has begun.
        ///
        /// - Parameters:
        ///   - key: The key, or a computed property over several.
        ///   - options: What is published, and when: by default, each change with its new value.
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

    /// Publishes the changes of a key. ``PreferenceAccessors/publisher(for:options:)`` makes it.
    public struct PreferencePublisher<Value: Sendable>: Publisher {
        /// A change, with its values.
        public typealias Output = PreferenceChange<Value>
        /// Watching does not fail.
        public typealias Failure = Never

        /// Registers a watcher, with what is called at its end and what is told of changes.
        typealias Registration = (
            _ onEnd: @escaping @Sendable () -> Void, _ body: @escaping (PreferenceChange<Value>) -> Void
        ) -> PreferenceWatcher

        private let register: Registration

        init(register: @escaping Registration) {
            self.register = register
        }

        /// Begins to watch for a subscriber.
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

        /// The watcher has ended, and not because the subscriber wanted that.
        private func end() {
            let isCancelled = watcher.withLock { state in
                defer { state = (nil, true) }
                return state.isCancelled
            }
            if !isCancelled { finish() }
        }
    }

    /// The calls of a subscriber of any type.
    ///
    /// The conformance to `Sendable` is unchecked because Combine's subscribers are not `Sendable`. ``DemandQueue`` calls `receive`
    /// by one thread at a time, and `finish` is called once, when the watcher has ended.
    private struct SubscriberCalls<Value: Sendable>: @unchecked Sendable {  // See above.
        let receive: (PreferenceChange<Value>) -> Subscribers.Demand
        let finish: () -> Void
    }
#endif
