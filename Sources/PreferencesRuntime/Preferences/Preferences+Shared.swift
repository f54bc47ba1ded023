import PreferencesSystem

extension Preferences {
    private enum Bootstrap {
        case open
        case given(Preferences)
        case used
    }

    private static let bootstrapState = Locked(Bootstrap.open)

    /// Created at the first use.
    private static let sharedInstance = bootstrapState.withLock { state in
        defer { state = .used }
        if case .given(let preferences) = state { return preferences }
        return unbootstrapped(isTest: TestProcess.isCurrent)
    }

    /// Returns the preferences of a program that has not called ``bootstrap(_:)``.
    ///
    /// - Parameter isTest: Whether the program runs tests, which must not change the preferences of a user.
    static func unbootstrapped(isTest: Bool) -> Preferences {
        guard !isTest else {
            StandardError.writeLine(
                "preferences: Preferences.shared is in memory, as this process runs tests, which share it; give each "
                    + "test its own with '@Test(.preferences(.inMemory()))' of PreferencesTesting, or call "
                    + "Preferences.bootstrap(_:) first"
            )
            return .inMemory()
        }
        #if canImport(Darwin)
            return Preferences(store: UserDefaultsStore.standard)
        #else
            return Preferences(store: FileStore.default)
        #endif
    }

    /// The program's preferences.
    ///
    /// By default, their store is ``UserDefaultsStore/standard`` on Apple platforms and ``FileStore/default``
    /// elsewhere, and their secrets are in the system's store: see ``init(store:migrations:isObserved:)``. In a process
    /// that runs tests, they are in memory, since tests must not change a user's preferences; their first use is
    /// reported on standard error. Call ``bootstrap(_:)`` to replace them, and ``withShared(_:_:)`` to override them in
    /// a test.
    public static var shared: Preferences { overriddenShared ?? sharedInstance }

    /// Replaces the default of ``shared``. Call it once, when the program starts, before anything uses `shared`.
    ///
    /// ```swift
    /// Preferences.bootstrap(Preferences(store: FileStore(url: settingsURL)))
    /// ```
    ///
    /// A second call, or a call after the first use of `shared`, is a fatal error: parts of the program would use
    /// different preferences.
    ///
    /// - Parameter preferences: The preferences that `shared` returns from now on.
    public static func bootstrap(_ preferences: Preferences) {
        // `fatalError`, since `preconditionFailure` prints no message in a release build.
        bootstrapState.withLock { state in
            switch state {
            case .open:
                state = .given(preferences)
            case .given:
                fatalError(
                    "Preferences.bootstrap(_:) was called a second time; call it once, where the program starts"
                )
            case .used:
                fatalError(
                    "Preferences.bootstrap(_:) was called after Preferences.shared had been used; "
                        + "call it first, where the program starts"
                )
            }
        }
    }
}

/// A registry of preferences by name, for programs that have several, such as one for each account, document or window.
extension Preferences {
    /// Held also while preferences are created, so that those of one name are created once. Recursive, since a closure
    /// that creates preferences may use the registry.
    private static let registering = RecursiveLock()
    private static let registry = Locked<[RegistryName: Preferences]>([:])

    // Unchecked, because `AnyHashable` is not `Sendable`. The initializer accepts only names that are.
    private struct RegistryName: Hashable, @unchecked Sendable {
        let name: AnyHashable

        init(_ name: some Hashable & Sendable) {
            self.name = AnyHashable(name)
        }
    }

    /// Returns the preferences that are registered under a name.
    ///
    /// - Parameter name: A name that the program chooses, of any type: `Preferences.named(account.id)`. Names are equal
    ///   if they are equal as `AnyHashable`.
    /// - Returns: The preferences; nil if there are none.
    public static func named(_ name: some Hashable & Sendable) -> Preferences? {
        let name = RegistryName(name)
        return registry.withLock { $0[name] }
    }

    /// Returns the preferences that are registered under a name, or creates and registers them. Threads that call this
    /// at the same time get the same preferences.
    ///
    /// ```swift
    /// let work = Preferences.named("work") { Preferences.shared.prefixed("work:") }
    /// ```
    ///
    /// - Parameters:
    ///   - name: A name that the program chooses.
    ///   - make: Creates the preferences. Other threads that create some wait for it.
    /// - Returns: The preferences.
    /// - Throws: The error of `make`.
    public static func named(
        _ name: some Hashable & Sendable,
        _ make: () throws -> Preferences
    ) rethrows -> Preferences {
        try registering.withLock {
            if let existing = named(name) { return existing }
            let new = try make()
            // The closure may have registered some itself.
            if let existing = named(name) { return existing }
            let name = RegistryName(name)
            registry.withLock { $0[name] = new }
            return new
        }
    }

    /// Registers preferences under a name, and replaces earlier ones.
    ///
    /// - Parameters:
    ///   - preferences: The preferences, which are retained until they are replaced; nil to remove the earlier ones.
    ///   - name: A name that the program chooses.
    /// - Returns: The preferences that were registered before; nil if there were none.
    @discardableResult
    public static func register(
        _ preferences: Preferences?,
        named name: some Hashable & Sendable
    ) -> Preferences? {
        let name = RegistryName(name)
        return registering.withLock {
            // The name that was registered is released after the lock, since that may run code that uses the registry.
            let old = registry.withLock { registry in
                let old = registry.index(forKey: name).map { registry.remove(at: $0) }
                registry[name] = preferences
                return old
            }
            return old?.value
        }
    }
}
