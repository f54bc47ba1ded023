/// What `NSUbiquitousKeyValueStore` offers. It does not say that several threads may use it at the same time.
package protocol UbiquitousMedium: Sendable {
    /// A property-list object. Like the others that take a name, it ends the program for one of more than 64 bytes.
    func object(for name: String) -> Any?

    /// Sets a value in memory. The system saves it later, or tells that it does not.
    func set(_ object: Any, for name: String)

    func removeObject(for name: String)

    /// All values.
    var contents: [String: Any] { get }

    /// Has values saved, and others be fetched.
    ///
    /// - Returns: Whether that is possible: an app without the entitlement for iCloud has nowhere to save to.
    func synchronize() -> Bool

    /// Has a handler told of changes that were not made through this, from any thread.
    func observe(_ handler: @escaping @Sendable (UbiquitousChange) -> Void) -> PreferenceStoreObservation
}
