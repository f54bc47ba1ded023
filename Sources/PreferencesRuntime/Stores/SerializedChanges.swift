import PreferencesSystem

/// What a store's values are in, used by one thread after the other, and what becomes of it told when it is free again.
struct SerializedChanges: ~Copyable, Sendable {
    let observers = ObservedMedium()

    /// Held by whoever uses the values, also while a closure makes a batch.
    private let access = RecursiveLock()
    /// What the medium has told the thread that uses it.
    private let postponed = Locked<[@Sendable () -> Void]>([])

    /// Whether this thread uses the values just now.
    var isInUse: Bool { access.isHeldByThisThread }

    /// Runs a body that uses the values, alone among the threads.
    func withAccess<Result>(_ body: () throws -> Result) rethrows -> Result {
        if isInUse { return try body() }
        var bodies: [@Sendable () -> Void] = []
        defer { for body in bodies { body() } }
        return try access.withLock {
            defer { bodies = postponed.withLock { $0.take() } }
            return try body()
        }
    }

    /// Makes a batch of changes, and tells of them.
    ///
    /// - Parameters:
    ///   - makeBatch: Gives the batch; nothing is written where it is empty.
    ///   - writer: The observation of the observer that makes the changes, which is not notified.
    ///   - write: Makes the changes, or none.
    func update(
        by writer: PreferenceStoreObservation? = nil,
        _ makeBatch: () throws -> PreferenceBatch,
        _ write: (_ batch: PreferenceBatch) throws -> Void
    ) rethrows {
        let batch = try withAccess {
            let batch = try makeBatch()
            if !batch.isEmpty { try write(batch) }
            return batch
        }
        if !batch.isEmpty, !observers.isEmpty(except: writer) {
            observers.notify(.names(Set(batch.lazy.map(\.name))), except: writer)
        }
    }

    /// Runs a body that tells of something, at once or when this thread has finished with the values: a medium may call
    /// from within its own methods.
    func tell(_ body: @escaping @Sendable () -> Void) {
        if isInUse { postponed.withLock { $0.append(body) } } else { body() }
    }
}

extension Array {
    fileprivate mutating func take() -> Self {
        defer { self = [] }
        return self
    }
}
