import PreferencesSystem

/// Preferences by name, for programs that have several: one for each account, document or window.
extension Preferences {
    /// Held while preferences are made, too, so that those of one name are made once; whoever makes them may ask for others.
    private static let registering = RecursiveLock()
    private static let registry = Locked<[String: Preferences]>([:])

    /// The preferences that are registered under a name.
    ///
    /// - Parameter name: The name, of the program's choice.
    /// - Returns: Nil where there are none.
    public static func named(_ name: String) -> Preferences? {
        registry.withLock { $0[name] }
    }

    /// The preferences that are registered under a name, or else new ones, which are registered then. Of threads that ask at
    /// the same time, all get the same.
    ///
    /// ```swift
    /// let work = Preferences.named("work") { Preferences(store: PrefixedStore(FileStore.default, prefix: "work")) }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name, of the program's choice.
    ///   - make: Makes them. Other threads that ask for new ones wait for it.
    public static func named(_ name: String, _ make: () throws -> Preferences) rethrows -> Preferences {
        try registering.withLock {
            if let known = named(name) { return known }
            let new = try make()
            registry.withLock { $0[name] = new }
            return new
        }
    }

    /// Registers preferences under a name, in place of others.
    ///
    /// - Parameters:
    ///   - preferences: The preferences, which are kept until others take their place; nil for none.
    ///   - name: The name, of the program's choice.
    /// - Returns: Those that were registered before.
    @discardableResult
    public static func register(_ preferences: Preferences?, named name: String) -> Preferences? {
        registering.withLock {
            registry.withLock { registry in
                defer { registry[name] = preferences }
                return registry[name]
            }
        }
    }
}
