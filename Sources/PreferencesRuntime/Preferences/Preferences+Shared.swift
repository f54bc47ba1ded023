import PreferencesSystem

extension Preferences {
    private enum Bootstrap {
        case open
        case given(Preferences)
        case used
    }

    private static let bootstrapState = Locked(Bootstrap.open)

    /// Made when first used, and the same from then on.
    private static let sharedInstance = bootstrapState.withLock { state in
        let instance: Preferences
        if case .given(let preferences) = state {
            instance = preferences
        } else {
            #if canImport(Darwin)
                instance = Preferences(store: UserDefaultsStore.standard)
            #else
                instance = Preferences(store: FileStore.default)
            #endif
        }
        state = .used
        return instance
    }

    /// The program's preferences.
    ///
    /// Kept in ``UserDefaultsStore/standard`` on Apple platforms, in ``FileStore/default`` elsewhere, or in what
    /// ``bootstrap(_:)`` was given. For a test there is ``withShared(_:_:)``.
    public static var shared: Preferences { overriddenShared ?? sharedInstance }

    /// Makes ``shared`` other than the default. To be called once, when the program starts, before anything uses
    /// `shared`.
    ///
    /// ```swift
    /// Preferences.bootstrap(Preferences(store: FileStore(url: settingsURL)))
    /// ```
    ///
    /// A second call, or one that comes too late, ends the program: some of it would go on with other preferences.
    ///
    /// - Parameter preferences: What `shared` is from now on.
    public static func bootstrap(_ preferences: Preferences) {
        // `fatalError`, as `preconditionFailure` says nothing in a release build.
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
