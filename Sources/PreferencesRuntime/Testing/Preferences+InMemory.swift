extension Preferences {
    /// Preferences that last as long as this value, for tests and previews. No file is touched, and no two have anything
    /// in common.
    ///
    /// ```swift
    /// let preferences = Preferences.inMemory(["weather:temperature": 21.5])
    /// ```
    ///
    /// - Parameters:
    ///   - values: What is set at first, by storage name: nothing, by default.
    ///   - secrets: Which secrets are set at first. There is a store for secrets even where there are none.
    ///   - isObserved: As of ``init(store:secrets:migrations:isObserved:)``.
    public static func inMemory(
        _ values: [String: PreferenceValue] = [:],
        secrets: [String: PreferenceValue] = [:],
        isObserved: Bool = false
    ) -> Preferences {
        Preferences(store: MemoryStore(values), secrets: MemoryStore(secrets), isObserved: isObserved)
    }
}
