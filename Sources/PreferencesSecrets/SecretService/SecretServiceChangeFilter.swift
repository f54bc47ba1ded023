#if !canImport(Security)
    import PreferencesSystem

    /// Distinguishes changes by other programs from those that the store makes, which cause the same signals, and transitions
    /// between a store that can be read and one that cannot.
    final class SecretServiceChangeFilter: Sendable {
        private struct State {
            /// The hash of the contents that the store wrote last, until another program changes them. The contents are not
            /// kept.
            var written: [String: Int] = [:]
            /// The names of the items that the store has deleted, and whose signal has not arrived.
            var deleted: [String: String] = [:]
            /// The names of the items, which the signals of their deletion do not contain.
            var names: [String: String] = [:]
            /// The path of the collection at the last event, which is nil if there was none; nil before the first event.
            var collection: String??
            /// Whether an access has failed since observers were notified that the store can be read.
            var hasFailed = false
            /// Whether observers were notified that the store cannot be read.
            var isUnreadable = false

            /// Returns whether the store has written the contents of an item. Otherwise, writing the same contents again is a
            /// change by another program, too.
            mutating func isOwn(_ secret: SecretServiceSecret, of name: String) -> Bool {
                if written[name] == secret.hashValue { return true }
                written[name] = nil
                return false
            }
        }

        private let state = Locked(State())

        /// Notes the name of an item, and its contents if they were read.
        func found(_ path: String, _ name: String, _ secret: SecretServiceSecret? = nil) {
            state.withLock { state in
                state.names[path] = name
                if let secret { _ = state.isOwn(secret, of: name) }
            }
        }

        /// Notes a change by the store, before its signals are received.
        ///
        /// - Parameters:
        ///   - step: The change.
        ///   - deleted: The paths of the items that were deleted.
        func wrote(_ step: SecretServiceStep, deleting deleted: [String]) {
            state.withLock { state in
                state.written[step.name] = step.secret?.hashValue
                for path in deleted { state.deleted[path] = step.name }
            }
        }

        /// Notes that the changes of a batch count as changes by another program: the caller has received an error, and has
        /// to be notified if they took effect nevertheless.
        func forget(_ names: Set<String>) {
            state.withLock { state in
                for name in names { state.written[name] = nil }
                state.deleted = state.deleted.filter { !names.contains($0.value) }
            }
        }

        /// Whether an access has failed since observers were notified that the store can be read.
        var hasFailed: Bool { state.withLock { $0.hasFailed } }

        /// Notes that the store can be read.
        ///
        /// - Returns: Whether an access before that failed.
        func succeeded() -> Bool {
            state.withLock { state in
                defer { (state.hasFailed, state.isUnreadable) = (false, false) }
                return state.hasFailed
            }
        }

        /// Notes that an access has failed.
        func failed() {
            state.withLock { $0.hasFailed = true }
        }

        /// Notes that observers are notified that the store cannot be read.
        ///
        /// - Returns: Whether they were not notified before.
        func becameUnreadable() -> Bool {
            state.withLock { state in
                defer { (state.hasFailed, state.isUnreadable) = (true, true) }
                return !state.isUnreadable
            }
        }

        /// Forgets the items, whose paths another service, or the same one after a restart, uses for others.
        func forgetItems() {
            state.withLock { ($0.written, $0.deleted, $0.names) = ([:], [:], [:]) }
        }

        /// Notes the path of the collection; nil if there is none.
        ///
        /// - Returns: Whether it is another one than before.
        func moved(to collection: String?) -> Bool {
            state.withLock { state in
                defer { state.collection = .some(collection) }
                return state.collection.map { $0 != collection } ?? false
            }
        }

        /// Returns the names whose values another program has changed; nil if it may be any.
        func names(
            changedBy events: Set<SecretServiceEvent>,
            _ items: SecretServiceItemCalls
        ) throws(SecretServiceFailure) -> Set<String>? {
            var names: Set<String> = []
            var isAnyPossible = false
            for event in events {
                switch event {
                case .deleted(let path) where items.contains(path):
                    let (isOwn, name) = state.withLock { state in
                        let name = state.names.removeValue(forKey: path)
                        if state.deleted.removeValue(forKey: path) != nil { return (true, name) }
                        if let name { state.written[name] = nil }
                        return (false, name)
                    }
                    if isOwn { continue }
                    if let name { names.insert(name) } else { isAnyPossible = true }
                case .changed(let path):
                    guard let item = try items.item(at: path), let secret = try items.secret(of: item) else { continue }
                    let isOwn = state.withLock { state in
                        state.names[path] = item.account
                        return state.isOwn(secret, of: item.account)
                    }
                    if !isOwn { names.insert(item.account) }
                case .deleted, .collections, .connected, .disconnected: continue
                }
            }
            return isAnyPossible ? nil : names
        }
    }
#endif
