#if canImport(Darwin)
    /// Preferences in iCloud, for all devices of a person: those of `NSUbiquitousKeyValueStore`.
    ///
    /// ```swift
    /// let preferences = Preferences(store: UbiquitousStore())
    /// ```
    ///
    /// The app needs the entitlement for iCloud's key-value storage. Without it nothing is saved, which ``flush()`` and
    /// ``reload()`` tell; without an account values stay on the device until there is one. iCloud keeps 1,024 names of 64
    /// bytes at most, and 1 MB of values, in one as in all. What surely is more is refused when it is set, a whole batch
    /// with it; what turns out later to be more, iCloud drops, and ``Preferences/problems`` has
    /// ``PreferenceProblem/Code/quotaExceeded``. What property lists have no word for is stored as <doc:FileFormats> says.
    ///
    /// Watchers hear of what other devices change, and of the arrival of another account's values, when the system tells
    /// so; ``changes`` says why. It tells nothing of what code of this program sets by `NSUbiquitousKeyValueStore`
    /// itself: such code is to call ``reload()``. Threads of this program that use such stores wait for each other's
    /// updates; devices do not, and of two that change one name the later wins.
    ///
    /// All stores of this type are one.
    public struct UbiquitousStore: PreferenceStoreAdapter {
        private static let shared = UbiquitousKeyValues(SystemUbiquitousMedium())

        /// What the values are in.
        public var base: any PreferenceStore { Self.shared }

        /// Always true.
        public var excludesWriters: Bool { true }

        /// Makes a store. The first has the system fetch what other devices have set.
        public init() {}

        /// The changes that were not made by this program from now on, with their reasons.
        ///
        /// Each stream has all of them. One that is not read keeps the latest 1,000.
        public var changes: AsyncStream<UbiquitousChange> { Self.shared.streams.stream() }
    }
#endif
