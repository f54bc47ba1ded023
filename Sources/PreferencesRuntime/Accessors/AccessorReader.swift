/// Reads a key path, or several, of a home of accessors, as long as that exists. It retains neither the home nor its
/// `Preferences`.
struct AccessorReader<Value>: @unchecked Sendable {  // Key paths never change; homes are read on any thread.
    /// Identifies homes: of a class, the object; of others, the type.
    let identity: ObjectIdentifier
    /// Whether all homes with this identity read the same.
    let isShareable: Bool
    private let read: (Preferences) -> Value?
    /// Whether the home is an object that was released.
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
            // It has its `Preferences` in it, which it would retain, but can be created again.
            isShareable = true
            self.read = Self.reading(namespace, read)
        } else {
            // Other structs cannot: a watcher on one retains its `Preferences` until it is cancelled.
            isShareable = false
            self.read = { _ in read(home) }
        }
    }

    private static func reading<Namespace: PreferenceNamespace, Home>(
        _ namespace: Namespace.Type,
        _ read: @escaping (Home) -> Value
    ) -> (Preferences) -> Value? {
        // `Namespace` is `Home`, which the compiler does not know.
        { read(unsafeBitCast(Namespace(preferences: $0), to: Home.self)) }
    }

    /// The value; nil if the home was released.
    func callAsFunction(_ preferences: Preferences) -> Value? {
        read(preferences)
    }
}
