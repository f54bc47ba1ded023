import PreferencesSystem
import Synchronization

/// The right to commit to the stores of some `Preferences`, which one thread at a time has.
///
/// All `Preferences` over one store share its lock: while one of them commits and the others look at what it has changed, no
/// further change is made, so that the watchers of each see every commit, in the same order.
final class CommitLock: Sendable {
    /// The locks of all backends, at least one, in the order in which they are taken.
    private let locks: [StoreLock]
    private let first: StoreLock
    private let isSingle: Bool

    /// Creates the lock for some stores.
    init(for stores: [any PreferenceStore]) {
        let backends = stores.flatMap(\.backends)
        // In one order, so that two threads never wait for each other.
        let distinct = Dictionary(backends.map { (ObjectIdentifier($0), $0) }) { first, _ in first }
        let locks = distinct.sorted { $0.key < $1.key }.map { StoreLock.shared(of: $0.value) }
        self.locks = locks.isEmpty ? [StoreLock()] : locks
        first = self.locks[0]
        isSingle = self.locks.count == 1
    }

    /// Whether the calling thread has the lock.
    var isHeldByThisThread: Bool {
        first.lock.isHeldByThisThread && (isSingle || locks.allSatisfy { $0.lock.isHeldByThisThread })
    }

    /// Whether the calling thread keeps all others from having the lock.
    var isHeldInPartByThisThread: Bool { locks.contains { $0.lock.isHeldByThisThread } }

    /// Runs a body with the lock, which the thread that holds it may take again.
    @inline(__always)
    func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        isSingle ? try first.withLock(body) : try Self.withLocks(locks[...], body)
    }

    private static func withLocks<Result, Failure: Error>(
        _ locks: ArraySlice<StoreLock>,
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard let first = locks.first else { return try body() }
        return try first.withLock { () throws(Failure) in try withLocks(locks.dropFirst(), body) }
    }

    /// Runs a body with the lock, unless another thread has it or a part of it.
    ///
    /// - Returns: The part that another thread has; nil if the body was run.
    func withLockIfAvailable(_ body: () -> Void) -> StoreLock? {
        Self.withLocksIfAvailable(locks[...], body)
    }

    private static func withLocksIfAvailable(_ locks: ArraySlice<StoreLock>, _ body: () -> Void) -> StoreLock? {
        guard let first = locks.first else {
            body()
            return nil
        }
        if first.lock.isHeldByThisThread { return withLocksIfAvailable(locks.dropFirst(), body) }
        var unavailable: StoreLock?
        guard first.lock.withLockIfAvailable({ unavailable = withLocksIfAvailable(locks.dropFirst(), body) }) else {
            return first
        }
        // Another thread may have found this one taken meanwhile.
        first.notifyWaiters()
        return unavailable
    }
}

/// The lock of one store, or of one backend that several stores share.
final class StoreLock: Sendable {
    fileprivate let lock = RecursiveLock()
    private let waiters = Locked<[ObjectIdentifier: Preferences]>([:])
    private let hasWaiters = Atomic(false)

    /// Runs a body with the lock, and then notifies waiters.
    @inline(__always)
    fileprivate func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        defer { notifyWaiters() }
        return try lock.withLock(body)
    }

    private struct Listing {
        weak var lock: StoreLock?
    }

    private static let all = Locked<(listings: [ObjectIdentifier: Listing], limit: Int)>(([:], 64))

    fileprivate static func shared(of backend: AnyObject) -> StoreLock {
        all.withLock { all in
            let id = ObjectIdentifier(backend)
            if let known = all.listings[id]?.lock { return known }
            if all.listings.count >= all.limit {
                all.listings = all.listings.filter { $0.value.lock != nil }
                all.limit = max(64, 2 * all.listings.count)
            }
            let new = StoreLock()
            all.listings[id] = Listing(lock: new)
            return new
        }
    }

    /// Causes preferences to look for external changes as soon as the thread that has the lock releases it.
    func addWaiter(_ preferences: Preferences) {
        waiters.withLock { $0[ObjectIdentifier(preferences)] = preferences }
        hasWaiters.store(true, ordering: .sequentiallyConsistent)
    }

    /// Causes preferences to look for the changes that they could not look for while this thread had the lock.
    fileprivate func notifyWaiters() {
        // A thread that adds itself later finds the lock free.
        guard hasWaiters.load(ordering: .sequentiallyConsistent), !lock.isHeldByThisThread,
            hasWaiters.exchange(false, ordering: .sequentiallyConsistent)
        else { return }
        let waiters = waiters.withLock { waiters in
            defer { waiters = [:] }
            return waiters
        }
        for preferences in waiters.values { DeferredNotifications.perform { preferences.settle() } }
    }
}

/// A store whose values are in an object that it may share with other stores.
package protocol SharedBackendStore: PreferenceStore {
    /// The object.
    var backend: AnyObject { get }
}

extension PreferenceStore {
    /// The objects that this store reads, if they have identities.
    fileprivate var backends: [AnyObject] {
        switch self {
        case let store as any SharedBackendStore: [store.backend]
        case let store as any PreferenceStoreAdapter: store.base.backends
        case let store as LayeredStore: store.layers.flatMap(\.backends)
        default: type(of: self) is AnyClass ? [self as AnyObject] : []
        }
    }
}
