import Foundation
package import PreferencesRuntime

/// What Core Data offers of one managed object and its context.
package protocol ManagedBackend: Sendable {
    /// The object's entity, for people.
    var entityName: String { get }

    /// The names of the entity's attributes. From any thread, as the next.
    var names: Set<String> { get }

    /// Nil for what is none of ``names``.
    func attribute(named name: String) -> ManagedAttribute?

    /// Whether the context is that of the main thread, and this is another. Waiting for it could be for ever.
    var isOfAnotherThread: Bool { get }

    /// Runs a body on the context's queue, at once where this is called from there already.
    ///
    /// - Throws: What the body throws.
    func onQueue<Result>(_ body: () throws -> Result) throws -> Result

    /// Runs a body soon, when the queue is free, on a thread that may use the context.
    func afterwards(_ body: @escaping @Sendable () -> Void)

    // MARK: On the queue

    /// Whether the object is in its context, and not deleted.
    var isAlive: Bool { get }

    /// Nil for all attributes where the object turns out to be deleted; ``isAlive`` is false then.
    func value(of name: String) -> Any?

    /// Ends the program for an object that the attribute's type does not take.
    func setValue(_ object: Any?, of name: String)

    /// What the model has against the object as it is now.
    func validate() -> [ManagedFault]

    /// Has the context tell of what has changed.
    func processChanges()

    /// Saves the context, if anything in it has changed.
    func save() throws

    /// Has the object take what others have saved, but for what was set since the last ``save()``.
    func refresh()

    // MARK: From any thread

    /// Has a handler told, on the queue, of attributes that have changed; nil for any.
    func observe(_ handler: @escaping @Sendable (_ names: Set<String>?) -> Void) -> PreferenceStoreObservation
}

/// An attribute of a managed object, as its model describes it.
package struct ManagedAttribute {
    /// What it takes; nil where that is no preference value.
    let type: ObjectType?
    /// Whether it may be without a value.
    let isOptional: Bool
    /// Whether Core Data works it out itself.
    let isDerived: Bool

    /// - Parameters:
    ///   - typeNumber: The number of its `NSAttributeType`.
    ///   - className: The class of its objects, as far as the model says.
    ///   - isOptional: Whether it may be without a value.
    ///   - isDerived: Whether Core Data works it out itself.
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
        // Objects that something in the model turns into data.
        case 1800: ObjectType(className: className)
        default: nil
        }
    }
}

/// Why a managed object cannot be saved as it is.
package struct ManagedFault: Hashable {
    /// The attribute; nil where it is another rule of the model.
    let attribute: String?
    /// In a sentence without a full stop.
    let message: String

    package init(attribute: String?, message: String) {
        self.attribute = attribute
        self.message = message
    }
}
