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

extension Preferences {
    @TaskLocal private static var sharedOverride: Preferences?
    /// How often it was overridden. It is not counted down, as a task that a body has started may outlive it.
    private static let overrides = AtomicCounter()

    /// What ``shared`` is instead on this task, if it is something else. Programs that never override do not look.
    static var overriddenShared: Preferences? { overrides.isZero ? nil : sharedOverride }

    /// Runs a body for which ``shared`` are other preferences: those of one test, while others run beside it.
    ///
    /// ```swift
    /// @Test func startsInCelsius() {
    ///     Preferences.withShared(.inMemory()) { #expect(Thermometer().unit == .celsius) }
    /// }
    /// ```
    ///
    /// It holds for what the body calls, and for the tasks that it starts, as a task-local value does. It does not hold
    /// for threads, queues and detached tasks. Preferences that were taken from ``shared`` before stay what they are.
    ///
    /// - Parameters:
    ///   - preferences: What ``shared`` is meanwhile.
    ///   - body: What is run.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    @discardableResult
    public static func withShared<Result, Failure: Error>(
        _ preferences: Preferences,
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        overrides.increment()
        var result: Swift.Result<Result, Failure>?
        $sharedOverride.withValue(preferences) { result = Swift.Result(catching: body) }
        return try result!.get()
    }

    /// Runs an asynchronous body for which ``shared`` are other preferences, as
    /// ``withShared(_:_:)``.
    ///
    /// - Parameters:
    ///   - preferences: What ``shared`` is meanwhile.
    ///   - body: What is run, on the actor that this is called on.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    @discardableResult
    public static func withShared<Result>(
        _ preferences: Preferences,
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        overrides.increment()
        return try await $sharedOverride.withValue(preferences, operation: body)
    }
}
