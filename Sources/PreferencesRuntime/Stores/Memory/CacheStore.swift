import PreferencesSystem
import Foundation

/// A store in memory that the system may empty when it needs the memory, over `NSCache`.
///
/// ```swift
/// let thumbnails = Preferences(store: CacheStore(countLimit: 200))
/// ```
///
/// Any value may be gone at any time; its key reads as its default then.
public final class CacheStore: PreferenceStore {
    /// Always `cache`.
    public let label = "cache"

    private let contents: Locked<Contents>
    private let changes = SerializedChanges()

    /// Makes a store.
    ///
    /// - Parameter countLimit: How many values it holds, more or less, as `NSCache` has it; 0, the default, for any number.
    public init(countLimit: Int = 0) {
        contents = Locked(Contents(countLimit: countLimit))
    }

    /// The value under a name, if it is still there.
    public func value(for name: String) -> PreferenceValue? {
        contents.withLock { $0[name] }
    }

    /// The names of the values that are still there.
    public func names() -> Set<String> {
        contents.withLock { $0.presentNames() }
    }

    /// Makes all changes of a batch at once.
    public func apply(_ batch: [String: PreferenceEdit]) {
        apply(PreferenceBatch(batch), by: nil)
    }

    /// Applies a batch, and notifies all observers but the writer.
    public func apply(_ batch: PreferenceBatch, by writer: PreferenceStoreObservation?) {
        changes.update(by: writer, { batch }, replaceValues)
    }

    /// Makes a batch of changes from what is kept at the moment, with no other thread changing anything in between.
    ///
    /// - Throws: What the closure throws.
    public func update(
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> [String: PreferenceEdit]
    ) rethrows {
        try changes.update({ PreferenceBatch(try makeBatch(value)) }, replaceValues)
    }

    /// Applies a batch that is made from the current values, and notifies all observers but the writer.
    ///
    /// - Throws: Any error of the closure.
    public func update(
        by writer: PreferenceStoreObservation?,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) rethrows {
        try changes.update(by: writer, { try makeBatch(value) }, replaceValues)
    }

    /// Always true.
    public var excludesWriters: Bool { true }

    private func replaceValues(_ batch: PreferenceBatch) {
        contents.withLock { contents in
            for (name, edit) in batch { contents[name] = edit.value }
        }
    }

    /// False: nobody is told when a value goes. Each read asks the cache.
    public var notifiesAllChanges: Bool { false }

    /// Has an observer told of what was set and removed.
    public func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        changes.observers.add(observer)
    }

    /// Persistence.
    public var unsupportedCapabilities: PreferenceStoreCapabilities { .persistence }
}

extension CacheStore {
    /// The cache, and what has been put into it.
    private struct Contents {
        /// A name as a key, equal to others as Swift's texts are.
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
        /// An `NSCache` does not say what it has.
        private var names: Set<String> = []
        /// How many there may be before those are left out that are gone.
        private var mostNames = 1_024

        init(countLimit: Int) {
            cache.countLimit = countLimit
        }

        subscript(name: String) -> PreferenceValue? {
            get { cache.object(forKey: Key(name))?.value }
            set {
                if let newValue {
                    cache.setObject(Box(newValue), forKey: Key(name))
                    names.insert(name)
                    if names.count > mostNames { mostNames = max(2 * presentNames().count, 1_024) }
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
