/// What the Objective-C runtime and key-value coding offer of one object.
package protocol PropertyMedium: Sendable {
    /// The object's class, for people.
    var className: String { get }

    /// The properties of the class and of those that it inherits from, without `NSObject`.
    var names: Set<String> { get }

    /// Nil for what is none of ``names``.
    func declaration(of name: String) -> PropertyDeclaration?

    /// Whether the object has a method: `setName:`.
    func responds(to method: String) -> Bool

    /// Ends the program for a property that key-value coding cannot read.
    func value(of name: String) -> Any?

    /// Ends the program for a property that key-value coding cannot set, and for nil where it takes none.
    func setValue(_ object: Any?, of name: String)

    /// Has a handler told of properties that change, on the threads that change them, also in the midst of `setValue`.
    func observe(_ names: Set<String>, _ handler: @escaping @Sendable (_ name: String) -> Void)
        -> PreferenceStoreObservation
}
