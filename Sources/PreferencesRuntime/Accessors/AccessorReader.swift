/// Reads key paths of a ``PreferenceAccessors`` value for as long as that value exists. Retains neither the value nor
/// its `Preferences`.
struct AccessorReader<Value>: @unchecked Sendable {  // Key paths are immutable; accessors are read on any thread.
    /// The identity of the home: the object if it is a class instance, or else the type.
    let identity: ObjectIdentifier
    /// Whether all homes with this identity read the same values.
    let isShareable: Bool
    private let read: (Preferences) -> Value?
    /// Returns whether the home was an object that has been released.
    let isHomeReleased: () -> Bool

    init<Home: PreferenceAccessors>(_ home: Home, _ key: KeyPath<Home, Value>) {
        self.init(home) { $0[keyPath: key] }
    }

    init<Home: PreferenceAccessors>(_ home: Home, _ read: @escaping (Home) -> Value) {
        if type(of: home) is AnyClass, !(home is Preferences) {
            let object = home as AnyObject
            identity = ObjectIdentifier(object)
            isShareable = true
            isHomeReleased = { [weak object] in object == nil }
            self.read = { [weak object] _ in object.map { read(unsafeBitCast($0, to: Home.self)) } }
            return
        }
        identity = ObjectIdentifier(Home.self)
        isHomeReleased = { false }
        if home is Preferences {
            isShareable = true
            self.read = { read(unsafeBitCast($0, to: Home.self)) }
        } else if let namespace = Home.self as? any PreferenceNamespace.Type {
            // The struct would retain its `Preferences`, but can be recreated for each read.
            isShareable = true
            self.read = Self.reading(namespace, read)
        } else {
            // Other structs cannot be recreated: a watcher on one retains its `Preferences` until it is cancelled.
            isShareable = false
            self.read = { _ in read(home) }
        }
    }

    private static func reading<Namespace: PreferenceNamespace, Home>(
        _ namespace: Namespace.Type,
        _ read: @escaping (Home) -> Value
    ) -> (Preferences) -> Value? {
        // `Namespace` is `Home`, but the compiler cannot infer that.
        { read(unsafeBitCast(Namespace(preferences: $0), to: Home.self)) }
    }

    /// Returns the value, or nil if the home was released.
    func callAsFunction(_ preferences: Preferences) -> Value? {
        read(preferences)
    }
}
