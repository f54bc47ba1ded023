#if canImport(Darwin)
    public import PreferencesRuntime
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
            base = ObjectProperties(SystemPropertyBackend(object))
        }
    }
#endif

#if canImport(Darwin)
    import Foundation
    import ObjectiveC

    /// An object, by key-value coding.
    final class SystemPropertyBackend: PropertyBackend, @unchecked Sendable {  // Used with a lock held, by the store.
        let className: String
        private let object: NSObject
        private let declarations: [String: PropertyDeclaration]

        init(_ object: NSObject) {
            self.object = object
            var ownClass: AnyClass = type(of: object)
            // Key-value observing puts a class of its own before that of an object.
            while NSStringFromClass(ownClass).hasPrefix("NSKVONotifying_"), let original = class_getSuperclass(ownClass)
            {
                ownClass = original
            }
            className = String(describing: ownClass)
            declarations = Self.declarations(of: ownClass)
        }

        var names: Set<String> { Set(declarations.keys) }

        func declaration(of name: String) -> PropertyDeclaration? {
            declarations[name]
        }

        func responds(to method: String) -> Bool {
            object.responds(to: NSSelectorFromString(method))
        }

        func value(of name: String) -> Any? {
            object.value(forKey: name)
        }

        func setValue(_ value: Any?, of name: String) {
            object.setValue(value, forKey: name)
        }

        func observe(
            _ names: Set<String>,
            _ handler: @escaping @Sendable (_ name: String) -> Void
        ) -> PreferenceStoreObservation {
            let changes = PropertyChanges(of: object, names, handler)
            return PreferenceStoreObservation { changes.end() }
        }

        /// The properties of a class and of all that it inherits from, up to `NSObject`.
        private static func declarations(of ownClass: AnyClass) -> [String: PropertyDeclaration] {
            var declarations: [String: PropertyDeclaration] = [:]
            var next: AnyClass? = ownClass
            while let current = next, current != NSObject.self {
                let properties = Self.properties(of: current)
                // What a class declares anew is as it says.
                declarations.merge(properties) { own, _ in own }
                next = class_getSuperclass(current)
            }
            // Classes repeat some of its own, because of the protocols that they conform to.
            let general = Self.properties(of: NSObject.self)
            return declarations.filter { general[$0.key] == nil }
        }

        private static func properties(of current: AnyClass) -> [String: PropertyDeclaration] {
            var count: UInt32 = 0
            guard let list = class_copyPropertyList(current, &count) else { return [:] }
            defer { free(list) }
            var declarations: [String: PropertyDeclaration] = [:]
            for property in UnsafeBufferPointer(start: list, count: Int(count)) {
                guard let attributes = property_getAttributes(property) else { continue }
                let name = String(cString: property_getName(property))
                declarations[name] = PropertyDeclaration(name: name, attributes: String(cString: attributes))
            }
            return declarations
        }
    }
#endif

#if canImport(Darwin)
    import Foundation

    /// Hears of changes of an object's properties by key-value observing, until its end.
    final class PropertyChanges: NSObject, @unchecked Sendable {  // All constant; observing is thread-safe.
        private let object: NSObject
        private let names: Set<String>
        private let handler: @Sendable (_ name: String) -> Void

        init(of object: NSObject, _ names: Set<String>, _ handler: @escaping @Sendable (_ name: String) -> Void) {
            self.object = object
            self.names = names
            self.handler = handler
            super.init()
            for name in names { object.addObserver(self, forKeyPath: name, options: [], context: nil) }
        }

        /// To be called once.
        func end() {
            for name in names { object.removeObserver(self, forKeyPath: name) }
        }

        override func observeValue(
            forKeyPath keyPath: String?,
            of object: Any?,
            change: [NSKeyValueChangeKey: Any]?,
            context: UnsafeMutableRawPointer?
        ) {
            if let keyPath { handler(keyPath) }
        }
    }
#endif
