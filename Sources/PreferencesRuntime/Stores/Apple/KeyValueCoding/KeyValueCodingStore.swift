#if canImport(Darwin)
    public import Foundation

    /// Preferences in the properties of an object, by Key-Value Coding.
    ///
    /// ```swift
    /// final class Player: NSObject {
    ///     @objc dynamic var volume = 0.5
    ///     @objc dynamic var title: String?
    /// }
    ///
    /// let preferences = Preferences(store: KeyValueCodingStore(player))
    /// ```
    ///
    /// A name is a property that the object's class, or one that it inherits from, declares for Objective-C, with a type
    /// that is a preference value: numbers and booleans, strings, dates, data, URLs, UUIDs, arrays, dictionaries. Any other
    /// name is not set, and setting it is refused, as is a value that its property does not hold, such as 300 for an
    /// `Int8`; the object is never asked for what would raise an exception. A batch is checked whole before any property
    /// is set.
    ///
    /// - Warning: What Objective-C does not know of a type cannot be checked. Resetting an object sets it to nil: reset
    ///   only properties that are optional. Numbers and booleans cannot be reset, which is refused. Set an array or a
    ///   dictionary only to elements of the type that the property has in Swift.
    ///
    /// The store uses the object under a lock, and knows nothing of what else does: have one store for an object, and use
    /// the object only through it, or all of it, the store included, on one thread. Watchers hear of what is changed
    /// through the store, and of what anything else changes in properties that are `@objc dynamic`; after ``reload()``
    /// they look again at all.
    public struct KeyValueCodingStore: PreferenceStoreAdapter {
        /// What the values are in.
        public let base: any PreferenceStore

        /// Always true.
        public var excludesWriters: Bool { true }

        /// Makes a store.
        ///
        /// - Parameter object: What has the properties. The store keeps it alive.
        public init(_ object: NSObject) {
            base = CodedProperties(SystemPropertyMedium(object))
        }
    }
#endif
