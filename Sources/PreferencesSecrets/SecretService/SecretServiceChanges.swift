#if !canImport(Security)
    import PreferencesSystem

    /// What a store knows about its items, to notify observers of the changes of others alone.
    final class SecretServiceChanges: Sendable {
        /// An item that the store has changed.
        struct Entry: Sendable {
            let step: SecretServiceStep
            /// The paths of the items that were deleted.
            let deleted: [String]
        }

        private struct State {
            /// The hash of the contents that the store wrote last. The contents are not kept.
            var written: [String: Int] = [:]
            /// The items that the store has deleted, and whose signal has not arrived.
            var deleted: Set<String> = []
            /// The names of the items, which the signals of their deletion do not contain.
            var names: [String: String] = [:]
            /// Whether the last access failed. Observers then do not know that the store can be read again.
            var hasFailed = false
        }

        private let state = Locked(State())

        /// Notes the name of an item.
        func found(_ path: String, _ name: String) {
            state.withLock { $0.names[path] = name }
        }

        /// Notes changes by the store.
        func wrote(_ entries: [Entry]) {
            state.withLock { state in
                for entry in entries {
                    state.written[entry.step.name] = entry.step.secret?.hashValue
                    state.deleted.formUnion(entry.deleted)
                }
            }
        }

        /// Whether the last access failed.
        var hasFailed: Bool { state.withLock { $0.hasFailed } }

        /// Notes that the store was accessed.
        ///
        /// - Returns: Whether the access before that failed.
        func succeeded() -> Bool {
            state.withLock { state in
                defer { state.hasFailed = false }
                return state.hasFailed
            }
        }

        /// Notes that the store could not be accessed.
        ///
        /// - Returns: Whether the access before that succeeded.
        @discardableResult
        func failed() -> Bool {
            state.withLock { state in
                defer { state.hasFailed = true }
                return !state.hasFailed
            }
        }

        /// Returns the names that others have changed; nil for any.
        func names(
            changedBy events: Set<SecretServiceEvent>,
            _ items: SecretServiceItemCalls
        ) throws(SecretServiceFailure) -> Set<String>? {
            var names: Set<String> = []
            for event in events {
                switch event {
                case .deleted(let path):
                    let (isOwn, name) = state.withLock { state in
                        (state.deleted.remove(path) != nil, state.names.removeValue(forKey: path))
                    }
                    if isOwn { continue }
                    guard let name else { return nil }
                    names.insert(name)
                case .changed(let path):
                    guard let item = try items.item(at: path), let secret = try items.secret(of: item) else { continue }
                    let isOwn = state.withLock { state in
                        state.names[path] = item.account
                        return state.written[item.account] == secret.hashValue
                    }
                    if !isOwn { names.insert(item.account) }
                case .collections, .connected, .disconnected: continue
                }
            }
            return names
        }
    }
#endif
