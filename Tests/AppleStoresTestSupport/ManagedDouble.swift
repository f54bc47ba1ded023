import Dispatch
import Foundation
package import PreferencesApple
package import PreferencesRuntime
package import PreferencesSystem

/// The saved row of a managed object, of which each context has a copy.
///
/// It contains objects of any class, which a `Mutex` would not return.
package final class ManagedRowDouble: @unchecked Sendable {  // `row` and `failure` are used with `lock` held.
    private let lock = RecursiveLock()
    private var row: [String: Any]? = [:]
    private var failure: String?

    package init(_ row: [String: Any] = [:]) {
        self.row = row
    }

    /// The saved values; nil if the object is deleted.
    package var values: [String: Any]? { lock.withLock { row } }

    package func delete() {
        lock.withLock { row = nil }
    }

    /// Sets the reason why saving fails; nil if it succeeds.
    package func failSaving(_ reason: String?) {
        lock.withLock { failure = reason }
    }

    /// Saves changes.
    ///
    /// - Parameter changes: New objects; nil for names to remove.
    func save(_ changes: [String: Any?]) throws {
        try lock.withLock {
            if let failure { throw NSError(domain: "Test", code: 1, userInfo: [NSLocalizedDescriptionKey: failure]) }
            for (name, object) in changes { row?[name] = object }
        }
    }
}

/// A test double of a managed object, which behaves as Apple documents Core Data, and reports calls that would raise an
/// exception, or use the context off its queue.
///
/// Its values may be used on the context's queue only, as in the framework. This queue is a lock here, and
/// `checkingQueue` checks its use.
package final class ManagedDouble: ManagedBackend, @unchecked Sendable {  // All `var`s are used with `queue` held.
    package let entityName = "Settings"
    package let row: ManagedRowDouble
    package let queue = RecursiveLock()
    /// The attributes; nil for an object that has any attribute.
    private let attributes: [String: (typeNumber: UInt, isOptional: Bool, isDerived: Bool)]?
    package let isOnWrongThread: Bool
    /// The validation of the model.
    private let rule: @Sendable ([String: Any]) -> [ManagedValidationError]
    private let onException: @Sendable (String) -> Void
    private let laterQueue = DispatchQueue(label: "later")

    /// Nil until the row is read.
    private var values: [String: Any]?
    private var unsaved: [String: Any?] = [:]
    private var pendingNames: Set<String> = []
    private var isDeleted = false
    private var handlers: [UInt64: @Sendable (Set<String>?) -> Void] = [:]
    private var nextID: UInt64 = 0
    private var allCalls: [String] = []

    /// Creates an object.
    ///
    /// - Parameters:
    ///   - attributes: The number of each attribute's type, whether it is optional, and whether it is derived; nil for
    ///     an object that has any attribute.
    ///   - row: The saved row.
    ///   - isOnWrongThread: Whether the context belongs to another thread.
    ///   - rule: The validation of the model; by default without errors.
    ///   - onException: Called if the framework would raise an exception, or the context is used off its queue.
    package init(
        _ attributes: [String: (UInt, Bool, Bool)]?,
        row: ManagedRowDouble,
        isOnWrongThread: Bool = false,
        rule: @escaping @Sendable ([String: Any]) -> [ManagedValidationError] = { _ in [] },
        onException: @escaping @Sendable (String) -> Void
    ) {
        self.attributes = attributes?.mapValues { (typeNumber: $0.0, isOptional: $0.1, isDerived: $0.2) }
        self.row = row
        self.isOnWrongThread = isOnWrongThread
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

    package func onQueue<Result>(_ body: () throws -> Result) throws -> Result {
        if isOnWrongThread { onException("another thread waits for the main one") }
        return try queue.withLock(body)
    }

    package func performLater(_ body: @escaping @Sendable () -> Void) {
        laterQueue.async {
            // Waits for the end of the current block.
            self.queue.withLock {}
            body()
        }
    }

    package var isAlive: Bool { checkingQueue("") { !isDeleted } }

    package func value(of name: String) -> Any? {
        checkingQueue("get \(name)") {
            if attributes != nil, attributes?[name] == nil { onException("NSUnknownKeyException: '\(name)'") }
            return current[name]
        }
    }

    package func setValue(_ object: Any?, of name: String) {
        checkingQueue("set \(name)") {
            if let attributes {
                let isAccepted = attributes[name].map { Self.accepts($0.typeNumber, object) }
                if isAccepted != true { onException("NSInvalidArgumentException: '\(name)'") }
            }
            var new = current
            new[name] = object.map(foundationObject)
            values = new
            unsaved.updateValue(new[name], forKey: name)
            pendingNames.insert(name)
        }
    }

    package func validate() -> [ManagedValidationError] {
        checkingQueue("validate") { rule(current) }
    }

    package func processChanges() {
        let names = checkingQueue("") {
            defer { pendingNames = [] }
            return pendingNames
        }
        if !names.isEmpty { notify(of: names) }
    }

    package func save() throws {
        try checkingQueue("save") {
            if unsaved.isEmpty { return }
            try row.save(unsaved)
            unsaved = [:]
        }
    }

    package func refresh() {
        checkingQueue("refresh") { values = nil }
        notify(of: nil)
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

    /// The calls on the queue, such as `set theme`.
    package var calls: [String] { queue.withLock { allCalls } }
    /// The number of handlers.
    package var observerCount: Int { queue.withLock { handlers.count } }

    /// Runs a body in the context, which reports changes at the end.
    package func inContext(_ body: (ManagedDouble) -> Void) {
        queue.withLock {
            body(self)
            processChanges()
        }
    }

    /// Deletes the object in the context.
    package func delete() {
        queue.withLock {
            isDeleted = true
            notify(of: nil)
        }
    }

    /// The current values. They are read if necessary, which reveals whether the object was deleted.
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

    private func notify(of names: Set<String>?) {
        for handler in Array(handlers.values) { handler(names) }
    }

    private func checkingQueue<Result>(_ call: String, _ body: () throws -> Result) rethrows -> Result {
        if !queue.isHeldByThisThread { onException("the context is used off its queue: \(call)") }
        if !call.isEmpty { allCalls.append(call) }
        return try body()
    }

    private static func accepts(_ typeNumber: UInt, _ object: Any?) -> Bool {
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
