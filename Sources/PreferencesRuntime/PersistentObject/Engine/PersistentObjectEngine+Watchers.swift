extension PersistentObjectEngine {
    /// Adds a watcher.
    ///
    /// - Parameter onEnd: Is called when it ends.
    func add(_ queue: WatchQueue<PersistentObjectChange<Value>>, onEnd: @escaping @Sendable () -> Void = {})
        -> PersistentObjectWatcher
    {
        let reference = UserReference(onEnd)
        let id = state.withLock { state in
            state.nextWatcherID += 1
            state.watchers.append((state.nextWatcherID, queue, reference))
            return state.nextWatcherID
        }
        return PersistentObjectWatcher { [weak self] in
            queue.cancel()
            onEnd()
            self?.remove(id)
        }
    }

    private func remove(_ id: UInt64) {
        state.withLock { $0.watchers.removeAll { $0.id == id } }
    }

    /// Has watchers told of what was noted for them. With no lock held.
    func deliver() {
        for watcher in state.withLock({ $0.watchers }) { watcher.queue.deliver() }
    }

    /// Has nothing more told than what is waiting.
    func endWatchers() {
        let watchers = state.withLock { state in
            defer {
                state.watchers = []
                state.isEnded = true
            }
            return state.watchers
        }
        for watcher in watchers { watcher.onEnd.value() }
    }
}
