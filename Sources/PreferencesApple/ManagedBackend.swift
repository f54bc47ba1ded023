import Foundation
package import PreferencesRuntime

/// The interface of Core Data for one managed object and its context.
package protocol ManagedBackend: Sendable {
    /// The name of the object's entity, for messages.
    var entityName: String { get }

    /// The names of the entity's attributes. Available on any thread, as the next function.
    var names: Set<String> { get }

    /// Returns the description of an attribute; nil for other names than ``names``.
    func attribute(named name: String) -> ManagedAttribute?

    /// Whether the context belongs to the main thread, and this is another thread, which could wait for it forever.
    var isOnWrongThread: Bool { get }

    /// Runs a body on the context's queue; directly if this is called on the queue.
    ///
    /// - Throws: The error of the body.
    func onQueue<Result>(_ body: () throws -> Result) throws -> Result

    /// Runs a body later, when the queue is free, on a thread that may use the context.
    func performLater(_ body: @escaping @Sendable () -> Void)

    // MARK: On the queue

    /// Whether the object is in its context, and not deleted.
    var isAlive: Bool { get }

    /// Returns the object of an attribute; nil if the object turns out to be deleted, in which case ``isAlive`` is
    /// false.
    func value(of name: String) -> Any?

    /// Sets an attribute. Ends the program for an object that is not of the attribute's type.
    func setValue(_ object: Any?, of name: String)

    /// Returns the errors of the model's validation of the object.
    func validate() -> [ManagedValidationError]

    /// Makes the context report pending changes.
    func processChanges()

    /// Saves the context, if it has changes.
    func save() throws

    /// Reads the values that other contexts have saved, except for attributes that were set since the last ``save()``.
    func refresh()

    // MARK: From any thread

    /// Calls a handler, on the queue, with the names of attributes that have changed; nil for any.
    func observe(_ handler: @escaping @Sendable (_ names: Set<String>?) -> Void) -> PreferenceStoreObservation
}

/// An attribute of a managed object, as its model describes it.
package struct ManagedAttribute {
    /// The type of the attribute; nil if it is not supported.
    let type: ObjectType?
    /// Whether the attribute may have no value.
    let isOptional: Bool
    /// Whether Core Data derives the value itself.
    let isDerived: Bool

    /// Creates a description.
    ///
    /// - Parameters:
    ///   - typeNumber: The raw value of the `NSAttributeType`.
    ///   - className: The class of the attribute's objects; nil if the model does not specify it.
    ///   - isOptional: Whether the attribute may have no value.
    ///   - isDerived: Whether Core Data derives the value itself.
    package init(typeNumber: UInt, className: String?, isOptional: Bool, isDerived: Bool) {
        type = Self.type(typeNumber, className)
        self.isOptional = isOptional
        self.isDerived = isDerived
    }

    private static func type(_ number: UInt, _ className: String?) -> ObjectType? {
        switch number {
        case 100: .value(Int16.self)
        case 200: .value(Int32.self)
        case 300: .value(Int64.self)
        case 400: .decimal
        case 500: .value(Double.self)
        case 600: .value(Float.self)
        case 700: .value(String.self)
        case 800: .value(Bool.self)
        case 900: .value(Date.self)
        case 1000: .value(Data.self)
        case 1100: .value(UUID.self)
        case 1200: .value(URL.self)
        // Transformable.
        case 1800: ObjectType(className: className)
        default: nil
        }
    }
}

/// An error of the model's validation of a managed object.
package struct ManagedValidationError: Hashable {
    /// The attribute; nil if the rule is not about a single one.
    let attribute: String?
    /// The reason, without a full stop.
    let message: String

    package init(attribute: String?, message: String) {
        self.attribute = attribute
        self.message = message
    }
}
