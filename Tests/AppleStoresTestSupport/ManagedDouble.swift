import Dispatch
import Foundation
package import PreferencesRuntime
package import PreferencesSystem
package import PreferencesApple

/// What contexts of managed objects save to: one object, of which each context has its own.
///
/// Objects of any class are in it, which no `Mutex` would give out.
package final class ManagedRowDouble: @unchecked Sendable {  // `row` and `fault` are used with `lock` held.
    private let lock = RecursiveLock()
    private var row: [String: Any]? = [:]
    private var fault: String?

    package init(_ row: [String: Any] = [:]) {
        self.row = row
    }

    /// What is saved; nil where it is deleted.
    package var values: [String: Any]? { lock.withLock { row } }

    package func delete() {
        lock.withLock { row = nil }
    }

    /// Has saving fail from now on; not for nil.
    package func failSaving(_ reason: String?) {
        lock.withLock { fault = reason }
    }

    /// - Parameter changes: New objects; nil for what is removed.
    func save(_ changes: [String: Any?]) throws {
        try lock.withLock {
            if let fault { throw NSError(domain: "Test", code: 1, userInfo: [NSLocalizedDescriptionKey: fault]) }
            for (name, object) in changes { row?[name] = object }
        }
    }
}

/// A managed object that does what Apple documents of Core Data, and tells where that would raise an exception, or where its
/// context is used off its queue.
///
/// As with the framework, its values are for whoever is on its queue, which is a lock here; `onOwnQueue` checks that.
package final class ManagedDouble: ManagedBackend, @unchecked Sendable {  // All `var`s are used with `queue` held.
    package let entityName = "Settings"
    package let row: ManagedRowDouble
    package let queue = RecursiveLock()
    /// Nil for an object that has any attribute.
    private let attributes: [String: (typeNumber: UInt, isOptional: Bool, isDerived: Bool)]?
    private let isForOther: Bool
    /// What the model has against an object.
    private let rule: @Sendable ([String: Any]) -> [ManagedFault]
    private let onException: @Sendable (String) -> Void
    private let telling = DispatchQueue(label: "telling")

    /// Nil until it is read.
    private var values: [String: Any]?
    private var unsaved: [String: Any?] = [:]
    private var untold: Set<String> = []
    private var isDeleted = false
    private var handlers: [UInt64: @Sendable (Set<String>?) -> Void] = [:]
    private var nextID: UInt64 = 0
    private var allCalls: [String] = []

    /// - Parameters:
    ///   - attributes: The types of the attributes, by their numbers, whether they are optional, and derived.
    ///   - row: What it was saved as.
    ///   - isForOther: Whether the context is that of another thread.
    ///   - rule: What the model has against an object; nothing by default.
    ///   - onException: Is told where the framework would raise an exception, and of threads that use it together.
    package init(
        _ attributes: [String: (UInt, Bool, Bool)]?,
        row: ManagedRowDouble,
        isForOther: Bool = false,
        rule: @escaping @Sendable ([String: Any]) -> [ManagedFault] = { _ in [] },
        onException: @escaping @Sendable (String) -> Void
    ) {
        self.attributes = attributes?.mapValues { (typeNumber: $0.0, isOptional: $0.1, isDerived: $0.2) }
        self.row = row
        self.isForOther = isForOther
        self.rule = rule
        self.onException = onException
    }

    // MARK: For the store

    package var names: Set<String> {
        attributes.map { Set($0.keys) } ?? queue.withLock { Set(current.keys) }
    }

    package func attribute(named name: String) -> ManagedAttribute? {
        guard let attributes else {
            let isNone = name.isEmpty || name.utf8.contains(0) || name.count >= 10_000
            return isNone
                ? nil : ManagedAttribute(typeNumber: 1_800, className: nil, isOptional: true, isDerived: false)
        }
        guard let attribute = attributes[name] else { return nil }
        return ManagedAttribute(
            typeNumber: attribute.typeNumber,
            className: nil,
            isOptional: attribute.isOptional,
            isDerived: attribute.isDerived
        )
    }

    package var isOfAnotherThread: Bool { isForOther }

    package func onQueue<Result>(_ body: () throws -> Result) throws -> Result {
        if isForOther { onException("another thread waits for the main one") }
        return try queue.withLock(body)
    }

    package func afterwards(_ body: @escaping @Sendable () -> Void) {
        telling.async {
            // The block that has told of this has ended then.
            self.queue.withLock {}
            body()
        }
    }

    package var isAlive: Bool { onOwnQueue("") { !isDeleted } }

    package func value(of name: String) -> Any? {
        onOwnQueue("get \(name)") {
            if attributes != nil, attributes?[name] == nil { onException("NSUnknownKeyException: '\(name)'") }
            return current[name]
        }
    }

    package func setValue(_ object: Any?, of name: String) {
        onOwnQueue("set \(name)") {
            if let attributes {
                let takes = attributes[name].map { Self.takes($0.typeNumber, object) }
                if takes != true { onException("NSInvalidArgumentException: '\(name)'") }
            }
            var new = current
            new[name] = object.map(foundationObject)
            values = new
            unsaved.updateValue(new[name], forKey: name)
            untold.insert(name)
        }
    }

    package func validate() -> [ManagedFault] {
        onOwnQueue("validate") { rule(current) }
    }

    package func processChanges() {
        let names = onOwnQueue("") {
            defer { untold = [] }
            return untold
        }
        if !names.isEmpty { tell(names) }
    }

    package func save() throws {
        try onOwnQueue("save") {
            if unsaved.isEmpty { return }
            try row.save(unsaved)
            unsaved = [:]
        }
    }

    package func refresh() {
        onOwnQueue("refresh") { values = nil }
        tell(nil)
    }

    package func observe(_ handler: @escaping @Sendable (Set<String>?) -> Void) -> PreferenceStoreObservation {
        queue.withLock {
            nextID += 1
            handlers[nextID] = handler
            return PreferenceStoreObservation { [weak self, id = nextID] in
                self?.queue.withLock { _ = self?.handlers.removeValue(forKey: id) }
            }
        }
    }

    // MARK: For tests

    /// What it was asked for, on its queue: `set theme`.
    package var calls: [String] { queue.withLock { allCalls } }
    package var listenerCount: Int { queue.withLock { handlers.count } }

    /// Does something in the context, which tells of it at the end.
    package func inContext(_ body: (ManagedDouble) -> Void) {
        queue.withLock {
            body(self)
            processChanges()
        }
    }

    /// Has the context delete the object.
    package func delete() {
        queue.withLock {
            isDeleted = true
            tell(nil)
        }
    }

    /// What the object has: when that is not known it is read, and an object that is gone is deleted by that.
    private var current: [String: Any] {
        if let values { return values }
        guard var new = row.values else {
            isDeleted = true
            return [:]
        }
        for (name, object) in unsaved { new[name] = object }
        values = new
        return new
    }

    private func tell(_ names: Set<String>?) {
        for handler in Array(handlers.values) { handler(names) }
    }

    private func onOwnQueue<Result>(_ call: String, _ body: () throws -> Result) rethrows -> Result {
        if !queue.isHeldByThisThread { onException("the context is used off its queue: \(call)") }
        if !call.isEmpty { allCalls.append(call) }
        return try body()
    }

    private static func takes(_ typeNumber: UInt, _ object: Any?) -> Bool {
        guard let object else { return true }
        return switch typeNumber {
        case 100, 200, 300, 500, 600, 800: object is NSNumber
        case 400: object is NSDecimalNumber
        case 700: object is String
        case 900: object is Date
        case 1_000: object is Data
        case 1_100: object is UUID
        case 1_200: object is URL
        default: true
        }
    }
}
