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
