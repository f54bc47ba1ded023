/// A lock for each store, for as long as anyone holds it or waits for it.
final class StoreLocks: Sendable {
    private final class Holder: Sendable {
        let lock = RecursiveLock()
    }

    private let holders = Locked<[StoreIdentity: (holder: Holder, userCount: Int)]>([:])

    /// Runs a body that no other thread runs such a one beside for the same store.
    func withLock<Result>(of store: StoreIdentity, _ body: () throws -> Result) rethrows -> Result {
        let holder = holders.withLock { holders in
            let (holder, userCount) = holders[store] ?? (Holder(), 0)
            holders[store] = (holder, userCount + 1)
            return holder
        }
        defer {
            holders.withLock { holders in
                guard let (holder, userCount) = holders[store] else { return }
                holders[store] = userCount == 1 ? nil : (holder, userCount - 1)
            }
        }
        return try holder.lock.withLock(body)
    }
}
