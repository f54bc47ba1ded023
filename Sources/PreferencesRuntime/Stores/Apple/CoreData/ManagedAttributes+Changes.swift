import PreferencesSystem

extension ManagedAttributes {
    /// Notes what the context tells, on its queue.
    ///
    /// - Parameter names: The attributes that have changed; nil for any.
    func note(_ names: Set<String>?) {
        let isOwn = told.withLock { told in
            let others = names.map { $0.subtracting(told.own ?? []) }
            if others?.isEmpty != true { told.byOthers.append(others.map { .names($0) } ?? .everything) }
            return told.own != nil
        }
        // The queue is a lock: observers are told when it is free. What this store sets it tells itself then.
        if !isOwn { medium.afterwards { [weak self] in self?.tellOfOthers() } }
    }

    func tellOfOthers() {
        let changes = told.withLock { told in
            defer { told.byOthers = [] }
            return told.byOthers
        }
        for change in changes { observers.notify(change) }
    }
}
