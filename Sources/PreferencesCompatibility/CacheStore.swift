import Foundation
public import PreferencesRuntime

/// A store over `NSCache`, in memory that the system may reclaim.
///
/// ```swift
/// let thumbnails = Preferences(store: CacheStore(countLimit: 200))
/// ```
///
/// Any value may be evicted at any time; its key then reads as its default.
public final class CacheStore: WriterExcludingStore, CapabilityDeclaringStore {
    /// Always `cache`.
    public let label = "cache"

    /// Unchecked, because the compiler does not know that `NSLock` protects it. A `Mutex`, which it does know, is not
    /// seen by ThreadSanitizer on Linux, and the lock of `access` is held during whole updates, for which reads need
    /// not wait.
    nonisolated(unsafe) private var contents: Contents
    private let lock = NSLock()
    private let access = PreferenceStoreAccess()

    /// Creates an empty store.
    ///
    /// - Parameter countLimit: The approximate number of values above which `NSCache` evicts some; 0, the default, for
    ///   no limit.
    public init(countLimit: Int = 0) {
        contents = Contents(countLimit: countLimit)
    }

    /// Returns the value of a name; nil if it is not set, or was evicted.
    public func value(for name: String) -> PreferenceValue? {
        lock.withLock { contents[name] }
    }

    /// Returns the names of the values that have not been evicted.
    public func names() -> Set<String> {
        lock.withLock { contents.presentNames() }
    }

    /// Applies a batch.
    public func apply(_ batch: PreferenceBatch) {
        update(by: nil) { _ in batch }
    }

    /// Applies a batch that is made from the current values, and notifies all observers but the writer.
    ///
    /// - Throws: Any error of the closure.
    public func update(
        by writer: PreferenceStoreObservation?,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) rethrows {
        try access.update(by: writer, makingBatch: { try makeBatch(value) }) { batch in
            lock.withLock {
                for (name, edit) in batch { contents[name] = edit.value }
            }
        }
    }

    /// False: `NSCache` evicts values without a notification. Each read asks the cache.
    public var notifiesAllChanges: Bool { false }

    /// Notifies an observer of edits, but not of evictions.
    public func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        access.observers.add(observer)
    }

    /// Persistence.
    public var unsupportedCapabilities: PreferenceStoreCapabilities { .persistence }
}

extension CacheStore {
    /// The cache and the names of its values.
    private struct Contents {
        /// A name that compares as a Swift string.
        private final class Key: NSObject {
            let name: String

            init(_ name: String) {
                self.name = name
            }

            override var hash: Int { name.hashValue }

            override func isEqual(_ object: Any?) -> Bool {
                (object as? Key)?.name == name
            }
        }

        private final class Box {
            let value: PreferenceValue

            init(_ value: PreferenceValue) {
                self.value = value
            }
        }

        private let cache = NSCache<Key, Box>()
        /// An `NSCache` does not list its keys.
        private var names: Set<String> = []
        /// The number of names at which those of evicted values are removed.
        private var nameLimit = 1_024

        init(countLimit: Int) {
            cache.countLimit = countLimit
        }

        subscript(name: String) -> PreferenceValue? {
            get { cache.object(forKey: Key(name))?.value }
            set {
                if let newValue {
                    cache.setObject(Box(newValue), forKey: Key(name))
                    names.insert(name)
                    if names.count > nameLimit { nameLimit = max(2 * presentNames().count, 1_024) }
                } else {
                    cache.removeObject(forKey: Key(name))
                    names.remove(name)
                }
            }
        }

        mutating func presentNames() -> Set<String> {
            names = names.filter { self[$0] != nil }
            return names
        }
    }
}
