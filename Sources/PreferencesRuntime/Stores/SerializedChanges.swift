/// The changes of a store that nobody else can change: made by one thread after the other, and told when they are made.
struct SerializedChanges: ~Copyable, Sendable {
    /// Held by whoever changes values, also while a closure makes a batch.
    private let writing = RecursiveLock()
    let observers = PreferenceStoreObservers()

    func apply(
        _ batch: [String: PreferenceEdit],
        _ write: (_ batch: [String: PreferenceEdit]) throws -> Void
    ) rethrows {
        try writing.withLock { try write(batch) }
        observers.notify(.names(Set(batch.keys)))
    }

    func update(
        _ makeBatch: () throws -> [String: PreferenceEdit],
        _ write: (_ batch: [String: PreferenceEdit]) throws -> Void
    ) rethrows {
        let batch = try writing.withLock {
            let batch = try makeBatch()
            try write(batch)
            return batch
        }
        if !batch.isEmpty { observers.notify(.names(Set(batch.keys))) }
    }
}
