#if canImport(Darwin)
    import Foundation
    import ObjectiveC

    /// An object, by key-value coding.
    final class SystemPropertyMedium: PropertyMedium, @unchecked Sendable {  // Used with a lock held, by the store.
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
