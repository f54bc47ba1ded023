#if !canImport(Security)
    import Dispatch
    import PreferencesRuntime
    import PreferencesSystem

    /// An event of the Secret Service: one of its signals, or the beginning or end of a connection to it.
    enum SecretServiceEvent: Hashable, Sendable {
        /// The item of this path was created or changed.
        case changed(String)
        /// The item of this path was deleted.
        case deleted(String)
        /// A collection was created, deleted, locked, unlocked or changed.
        case collections
        /// The service or the bus has ended.
        case disconnected
        /// A connection was made: to the first service, or to one that has taken its place.
        case connected
    }

    /// The handlers of a connection's events. They are called on a queue, each time with all events since the last call,
    /// so that a thousand changes cause few reads.
    final class SecretServiceEvents: Sendable {
        typealias Handler = @Sendable (Set<SecretServiceEvent>) -> Void

        private struct State {
            var handlers: [UInt64: Handler] = [:]
            var nextID: UInt64 = 0
            var pending: Set<SecretServiceEvent> = []
        }

        private let state = Locked(State())
        private let queue = DispatchQueue(label: "preferences.secret-service.events")

        func add(_ handler: @escaping Handler) -> PreferenceStoreObservation {
            let id = state.withLock { state in
                state.nextID += 1
                state.handlers[state.nextID] = handler
                return state.nextID
            }
            return PreferenceStoreObservation { [weak self] in
                self?.state.withLock { _ = $0.handlers.removeValue(forKey: id) }
            }
        }

        func send(_ event: SecretServiceEvent) {
            let isFirst = state.withLock { state in
                guard !state.handlers.isEmpty else { return false }
                defer { state.pending.insert(event) }
                return state.pending.isEmpty
            }
            if isFirst { queue.async { self.callHandlers() } }
        }

        private func callHandlers() {
            let (handlers, events) = state.withLock { state in
                defer { state.pending = [] }
                return (Array(state.handlers.values), state.pending)
            }
            for handler in handlers { handler(events) }
        }
    }
#endif
