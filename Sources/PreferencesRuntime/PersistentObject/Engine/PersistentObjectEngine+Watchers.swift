extension PersistentObjectEngine {
    /// Adds a watcher.
    ///
    /// - Parameter onEnd: Is called when it ends.
    func add(_ queue: WatchQueue, onEnd: @escaping @Sendable () -> Void = {}) -> PersistentObjectWatcher {
        let id = state.withLock { state in
            state.nextWatcherID += 1
            state.watchers.append((state.nextWatcherID, queue, onEnd))
            return state.nextWatcherID
        }
        return PersistentObjectWatcher { [weak self] in
            queue.cancel()
            onEnd()
            self?.remove(id)
        }
    }

    private func remove(_ id: UInt64) {
        let removed = state.withLock { state in
            guard let index = state.watchers.firstIndex(where: { $0.id == id }) else { return Any?.none }
            return state.watchers.remove(at: index)
        }
        // Released after the lock.
        _ = removed
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
        for watcher in watchers { watcher.onEnd() }
    }
}
