import PreferencesSystem

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
