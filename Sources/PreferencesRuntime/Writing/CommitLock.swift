import PreferencesSystem
import Synchronization

/// The lock that a thread holds while it commits to the stores of some `Preferences`.
///
/// All `Preferences` over one store share its lock. It is held until all of them have published a commit, so that all
/// watchers observe all commits in the same order.
final class CommitLock: Sendable {
    /// The locks of all backends, at least one, in the order in which they are acquired.
    private let locks: [StoreLock]
    private let first: StoreLock
    private let isSingle: Bool

    /// Creates the lock for some stores.
    init(for stores: [any PreferenceStore]) {
        let backends = stores.flatMap(\.backends)
        // In one order, to prevent deadlocks.
        let distinct = Dictionary(backends.map { (ObjectIdentifier($0), $0) }) { first, _ in first }
        let locks = distinct.sorted { $0.key < $1.key }.map { StoreLock.shared(of: $0.value) }
        self.locks = locks.isEmpty ? [StoreLock()] : locks
        first = self.locks[0]
        isSingle = self.locks.count == 1
    }

    /// Whether the calling thread holds the lock.
    var isHeldByThisThread: Bool {
        first.lock.isHeldByThisThread && (isSingle || locks.allSatisfy { $0.lock.isHeldByThisThread })
    }

    /// Whether the calling thread holds at least a part of the lock, so that no other thread can acquire it.
    var isHeldInPartByThisThread: Bool { locks.contains { $0.lock.isHeldByThisThread } }

    /// Runs a body with the lock, which is recursive.
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

    /// Runs a body with the lock, unless another thread holds it or a part of it.
    ///
    /// - Returns: The part that another thread holds; nil if the body was run.
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
        // Another thread may have found this lock held in the meantime.
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
            if let existing = all.listings[id]?.lock { return existing }
            if all.listings.count >= all.limit {
                all.listings = all.listings.filter { $0.value.lock != nil }
                all.limit = max(64, 2 * all.listings.count)
            }
            let new = StoreLock()
            all.listings[id] = Listing(lock: new)
            return new
        }
    }

    /// Causes preferences to publish external changes as soon as the thread that holds the lock releases it.
    func addWaiter(_ preferences: Preferences) {
        waiters.withLock { $0[ObjectIdentifier(preferences)] = preferences }
        hasWaiters.store(true, ordering: .sequentiallyConsistent)
    }

    /// Causes preferences to publish the changes that they could not publish while this thread held the lock.
    fileprivate func notifyWaiters() {
        // A thread that adds a waiter later finds the lock released.
        guard hasWaiters.load(ordering: .sequentiallyConsistent), !lock.isHeldByThisThread,
            hasWaiters.exchange(false, ordering: .sequentiallyConsistent)
        else { return }
        let waiters = waiters.withLock { waiters in
            defer { waiters = [:] }
            return waiters
        }
        for preferences in waiters.values { DeferredNotifications.perform { preferences.processExternalChanges() } }
    }
}

/// A store whose values are in a backend object that other stores may share.
package protocol SharedBackendStore: PreferenceStore {
    /// The backend.
    var backend: AnyObject { get }
}

extension PreferenceStore {
    /// The backends of the store that have identities.
    fileprivate var backends: [AnyObject] {
        switch self {
        case let store as any SharedBackendStore: [store.backend]
        case let store as any PreferenceStoreAdapter: store.base.backends
        case let store as LayeredStore: store.layers.flatMap(\.backends)
        // It is not written.
        case is ManagedStore: []
        default: type(of: self) is AnyClass ? [self as AnyObject] : []
        }
    }
}
