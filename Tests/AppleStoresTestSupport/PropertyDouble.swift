import Foundation
package import PreferencesApple
package import PreferencesRuntime
import PreferencesSystem
import Synchronization

/// A test double of an object, which follows Apple's Key-Value Coding, and reports calls that would raise an exception.
///
/// It contains objects of any class, which a `Mutex` would not return.
package final class PropertyDouble: PropertyBackend, @unchecked Sendable {  // All `var`s are used with `lock` held.
    package let className = "Player"
    /// The properties in the runtime's encoding; nil for an object that has any property.
    private let attributes: [String: String]?
    private let methods: Set<String>
    private let lock = RecursiveLock()
    private let isInUse = Atomic(false)
    private var values: [String: Any] = [:]
    private var handlers: [UInt64: (names: Set<String>, handler: @Sendable (String) -> Void)] = [:]
    private var nextID: UInt64 = 0
    private var allCalls: [String] = []
    /// The additional actions of setters.
    private var effects: [String: @Sendable (PropertyDouble) -> Void] = [:]

    private let onException: @Sendable (String) -> Void

    /// Creates an object that has a property of any name that is possible in Objective-C.
    ///
    /// - Parameter onException: Called if the framework would raise an exception, or several threads use the object at
    ///   once.
    package init(onException: @escaping @Sendable (String) -> Void) {
        (attributes, methods) = (nil, [])
        self.onException = onException
    }

    /// Creates an object.
    ///
    /// - Parameters:
    ///   - attributes: The attributes of the properties, such as `Td,N,V_volume`.
    ///   - values: The values of the properties; zero for numbers that are missing.
    ///   - methods: The methods; by default those that the compiler generates for the properties.
    ///   - onException: Called if the framework would raise an exception, or several threads use the object at once.
    package init(
        _ attributes: [String: String],
        values: [String: Any] = [:],
        methods: Set<String>? = nil,
        onException: @escaping @Sendable (String) -> Void
    ) {
        self.onException = onException
        self.attributes = attributes
        self.values = values
        var made: Set<String> = []
        for (name, text) in attributes {
            made.insert(name)
            if !text.contains(",R") { made.insert("set\(name.prefix(1).uppercased())\(name.dropFirst()):") }
        }
        self.methods = methods ?? made
    }

    // MARK: For the store

    package var names: Set<String> {
        lock.withLock { Set(attributes.map { Array($0.keys) } ?? Array(values.keys)) }
    }

    package func declaration(of name: String) -> PropertyDeclaration? {
        if let attributes { return attributes[name].flatMap { PropertyDeclaration(name: name, attributes: $0) } }
        let isNone = name.isEmpty || name.utf8.contains(0) || name.count >= 10_000
        return isNone ? nil : PropertyDeclaration(name: name, attributes: "T@,&,N")
    }

    package func responds(to method: String) -> Bool {
        attributes == nil || methods.contains(method)
    }

    package func value(of name: String) -> Any? {
        using("get \(name)") {
            guard let declaration = declaration(of: name), declaration.getters.contains(where: responds) else {
                onException("NSUnknownKeyException: '\(name)'")
                return nil
            }
            return values[name] ?? (declaration.isScalar ? NSNumber(value: 0) : nil)
        }
    }

    package func setValue(_ object: Any?, of name: String) {
        using("set \(name)") {
            guard let declaration = declaration(of: name), declaration.setters.contains(where: responds) else {
                onException("NSUnknownKeyException: '\(name)'")
                return
            }
            if object == nil, declaration.isScalar { onException("NSInvalidArgumentException: nil for '\(name)'") }
            if let object, !Self.accepts(declaration.encoding, object) { onException("a wrong object for '\(name)'") }
            values[name] = object.map(foundationObject)
        }
        notify(of: name)
        effects[name]?(self)
    }

    package func observe(
        _ names: Set<String>,
        _ handler: @escaping @Sendable (_ name: String) -> Void
    ) -> PreferenceStoreObservation {
        lock.withLock {
            nextID += 1
            handlers[nextID] = (names, handler)
            return PreferenceStoreObservation { [weak self, id = nextID] in
                self?.lock.withLock { _ = self?.handlers.removeValue(forKey: id) }
            }
        }
    }

    // MARK: For tests

    /// The calls, such as `set volume`.
    package var calls: [String] { lock.withLock { allCalls } }
    /// The names that are observed.
    package var observedNames: Set<String> {
        lock.withLock { handlers.values.reduce(into: []) { $0.formUnion($1.names) } }
    }

    /// Changes a property, as code that has the object does.
    package func change(_ name: String, to object: Any?) {
        lock.withLock { values[name] = object }
        notify(of: name)
    }

    /// Sets an action that the setter of a property runs at its end.
    package func afterSetting(_ name: String, _ effect: @escaping @Sendable (PropertyDouble) -> Void) {
        lock.withLock { effects[name] = effect }
    }

    private func notify(of name: String) {
        for (names, handler) in lock.withLock({ Array(handlers.values) })
        where attributes == nil || names.contains(name) {
            handler(name)
        }
    }

    private func using<Result>(_ call: String, _ body: () -> Result) -> Result {
        if isInUse.exchange(true, ordering: .acquiring) {
            onException("two threads use the object at the same time: \(call)")
        }
        defer { isInUse.store(false, ordering: .releasing) }
        return lock.withLock {
            allCalls.append(call)
            return body()
        }
    }

    private static func accepts(_ encoding: String, _ object: Any) -> Bool {
        switch encoding {
        case "@\"NSString\"": object is String
        case "@\"NSDate\"": object is Date
        case "@\"NSData\"": object is Data
        case "@\"NSURL\"": object is URL
        case "@\"NSUUID\"": object is UUID
        case "@\"NSArray\"": object is [Any]
        case "@\"NSDictionary\"": object is [String: Any]
        case "@\"NSDecimalNumber\"": object is NSDecimalNumber
        case "@": true
        default: object is NSNumber
        }
    }
}
