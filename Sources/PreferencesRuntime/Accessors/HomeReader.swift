/// Reads a key path, or several, of a home of accessors, for as long as that is there. It keeps neither the home nor its
/// `Preferences` alive.
struct HomeReader<Value>: @unchecked Sendable {  // Its key paths are; a class that is a home sees to the rest.
    /// Tells homes apart: of a class, the object; of others, the type.
    let identity: ObjectIdentifier
    private let read: (Preferences) -> Value?
    /// Whether the home is an object that is gone.
    let isGone: () -> Bool

    init<Home: PreferenceAccessors>(_ home: Home, _ key: KeyPath<Home, Value>) {
        self.init(home) { $0[keyPath: key] }
    }

    init<Home: PreferenceAccessors>(_ home: Home, _ read: @escaping (Home) -> Value) {
        if home is Preferences {
            identity = ObjectIdentifier(Home.self)
            isGone = { false }
            self.read = { ($0 as? Home).map(read) }
        } else if type(of: home) is AnyClass {
            let object = home as AnyObject
            identity = ObjectIdentifier(object)
            isGone = { [weak object] in object == nil }
            self.read = { [weak object] _ in (object as? Home).map(read) }
        } else if let namespace = Home.self as? any PreferenceNamespace.Type {
            // It has its `Preferences` in it, which it would keep alive, but can be made again.
            identity = ObjectIdentifier(Home.self)
            isGone = { false }
            self.read = { (namespace.init(preferences: $0) as? Home).map(read) }
        } else {
            // Other structs cannot: a watcher on such a one keeps its `Preferences` until it is cancelled.
            identity = ObjectIdentifier(Home.self)
            isGone = { false }
            self.read = { _ in read(home) }
        }
    }

    /// Reads several keys, for what is behind them alone.
    init<Home: PreferenceAccessors>(_ home: Home, _ keys: [PartialKeyPath<Home>]) where Value == Void {
        self.init(home) { home in for key in keys { _ = home[keyPath: key] } }
    }

    /// The value; nil where the home is gone.
    func callAsFunction(_ preferences: Preferences) -> Value? {
        read(preferences)
    }
}
