#if canImport(Darwin)
    public import PreferencesRuntime
    public import Foundation
    import ObjectiveC

    /// A store in the properties of an Objective-C object, by Key-Value Coding.
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
    /// A name is that of a property that the object's class, or a superclass, declares for Objective-C with a supported
    /// type: numbers and Booleans, strings, dates, data, URLs, UUIDs, arrays and dictionaries. Any other name is not
    /// set, and setting it is refused, as is a value that the property cannot hold, such as 300 for an `Int8`. The
    /// store never makes a call that would raise an exception. It checks a whole batch before it sets any property.
    ///
    /// - Warning: Swift types that Objective-C does not know cannot be checked. Resetting an object sets it to nil, so
    ///   reset only optional properties. Resetting numbers and Booleans is refused. Set an array or a dictionary only
    ///   to elements of the property's type in Swift.
    ///
    /// The store accesses the object under a lock, which other code does not take: create one store for an object, and
    /// either access the object only through it, or access both on one thread. Watchers observe changes through the
    /// store, and other changes of properties that are `@objc dynamic`. Call ``reload()`` after changes of other
    /// properties.
    public struct KeyValueCodingStore: PreferenceStoreAdapter {
        /// The store of the values.
        public let base: any PreferenceStore

        /// Creates a store.
        ///
        /// - Parameter object: The object that has the properties. The store retains it.
        public init(_ object: NSObject) {
            base = ObjectProperties(SystemPropertyBackend(object))
        }
    }

    /// An object, accessed by Key-Value Coding.
    final class SystemPropertyBackend: PropertyBackend {
        let className: String
        // Unchecked, because `NSObject` is not `Sendable`. `ObjectProperties` calls `value(of:)` and `setValue(_:of:)`
        // only with its lock held; all other methods call functions of the Objective-C runtime that are thread-safe.
        nonisolated(unsafe) private let object: NSObject
        private let declarations: [String: PropertyDeclaration]

        init(_ object: NSObject) {
            self.object = object
            var ownClass: AnyClass = type(of: object)
            // Key-value observing replaces the class of an object by a subclass.
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

        /// Returns the properties of a class and its superclasses, without those of `NSObject`.
        private static func declarations(of ownClass: AnyClass) -> [String: PropertyDeclaration] {
            var declarations: [String: PropertyDeclaration] = [:]
            var next: AnyClass? = ownClass
            while let current = next, current != NSObject.self {
                let properties = Self.properties(of: current)
                // The declaration of a subclass takes precedence.
                declarations.merge(properties) { own, _ in own }
                next = class_getSuperclass(current)
            }
            // Classes redeclare some properties of `NSObject`, because of the protocols that they conform to.
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

    /// Observes an object's properties by key-value observing, until ``end()``.
    final class PropertyChanges: NSObject, Sendable {
        // Unchecked, because `NSObject` is not `Sendable`. It is used only to add and remove this observer, which
        // Foundation allows on any thread.
        nonisolated(unsafe) private let object: NSObject
        private let names: Set<String>
        private let handler: @Sendable (_ name: String) -> Void

        init(of object: NSObject, _ names: Set<String>, _ handler: @escaping @Sendable (_ name: String) -> Void) {
            self.object = object
            self.names = names
            self.handler = handler
            super.init()
            for name in names { object.addObserver(self, forKeyPath: name, options: [], context: nil) }
        }

        /// Ends the observation. Must be called exactly once.
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
