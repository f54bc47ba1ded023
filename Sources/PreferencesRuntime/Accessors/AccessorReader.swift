/// Reads key paths of a ``PreferenceAccessors`` value for as long as that value exists. Retains neither the value nor
/// its `Preferences`.
struct AccessorReader<Value>: Sendable {
    /// The identity of the owner: the object if it is a class instance, or else the type.
    let identity: ObjectIdentifier
    /// Whether all owners with this identity read the same values.
    let isShareable: Bool
    // Unchecked, because it captures a key path and an owner, whose types need not be `Sendable`. Key paths are
    // immutable, and accessors of an owner may be used on any thread.
    nonisolated(unsafe) private let read: (Preferences) -> Value?
    /// Returns whether the owner was an object that has been released.
    // Unchecked, because it captures a weak reference to the owner, which it only compares with nil.
    nonisolated(unsafe) let isOwnerReleased: () -> Bool

    init<Owner: PreferenceAccessors>(_ owner: Owner, _ key: KeyPath<Owner, Value>) {
        self.init(owner) { $0[keyPath: key] }
    }

    init<Owner: PreferenceAccessors>(_ owner: Owner, _ read: @escaping (Owner) -> Value) {
        if type(of: owner) is AnyClass, !(owner is Preferences) {
            let object = owner as AnyObject
            identity = ObjectIdentifier(object)
            isShareable = true
            isOwnerReleased = { [weak object] in object == nil }
            self.read = { [weak object] _ in object.map { read(unsafeBitCast($0, to: Owner.self)) } }
            return
        }
        identity = ObjectIdentifier(Owner.self)
        isOwnerReleased = { false }
        if owner is Preferences {
            isShareable = true
            self.read = { read(unsafeBitCast($0, to: Owner.self)) }
        } else if let namespace = Owner.self as? any PreferenceNamespace.Type {
            // The struct would retain its `Preferences`, but can be recreated for each read.
            isShareable = true
            self.read = Self.reading(namespace, read)
        } else {
            // Other structs cannot be recreated: a watcher on one retains its `Preferences` until it is cancelled.
            isShareable = false
            self.read = { _ in read(owner) }
        }
    }

    private static func reading<Namespace: PreferenceNamespace, Owner>(
        _ namespace: Namespace.Type,
        _ read: @escaping (Owner) -> Value
    ) -> (Preferences) -> Value? {
        // `Namespace` is `Owner`, but the compiler cannot infer that.
        { read(unsafeBitCast(Namespace(preferences: $0), to: Owner.self)) }
    }

    /// Returns the value, or nil if the owner was released.
    func callAsFunction(_ preferences: Preferences) -> Value? {
        read(preferences)
    }
}
