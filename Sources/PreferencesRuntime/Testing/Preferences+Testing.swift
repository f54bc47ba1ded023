extension Preferences {
    /// Returns preferences that exist only in memory, for tests and previews. They use no files, and share nothing with
    /// other preferences.
    ///
    /// ```swift
    /// let preferences = Preferences.inMemory(["weather:temperature": 21.5])
    /// ```
    ///
    /// - Parameters:
    ///   - values: The initial values by storage name; none by default.
    ///   - secrets: The initial secrets by storage name; none by default. There is always a secrets store.
    ///   - isObserved: As for `Preferences(store:secrets:migrations:isObserved:)`.
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
    /// The number of overrides so far. It never decreases, since a task that a body has started may outlive the body.
    private static let overrideCount = AtomicCounter()

    /// The override of ``shared`` on this task, if there is one. Programs that never override it do not look up the
    /// task-local.
    static var overriddenShared: Preferences? { overrideCount.isZero ? nil : sharedOverride }

    /// Runs a body with an override of ``shared``, for tests that run in parallel.
    ///
    /// ```swift
    /// @Test func startsInCelsius() {
    ///     Preferences.withShared(.inMemory()) { #expect(Thermometer().unit == .celsius) }
    /// }
    /// ```
    ///
    /// Like a task-local value, the override applies to calls in the body, and to tasks that it starts, but not to
    /// threads, queues and detached tasks. References to the previous ``shared`` are unaffected.
    ///
    /// - Parameters:
    ///   - preferences: The preferences that ``shared`` returns during the body.
    ///   - body: The body to run.
    /// - Returns: The result of the body.
    /// - Throws: The error that the body throws.
    @discardableResult
    public static func withShared<Result, Failure: Error>(
        _ preferences: Preferences,
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        overrideCount.increment()
        var result: Swift.Result<Result, Failure>?
        $sharedOverride.withValue(preferences) { result = Swift.Result(catching: body) }
        return try result!.get()
    }

    /// Runs an asynchronous body with an override of ``shared``. See ``withShared(_:_:)``.
    ///
    /// - Parameters:
    ///   - preferences: The preferences that ``shared`` returns during the body.
    ///   - isolation: The caller's actor, by default.
    ///   - body: The body to run, on that actor.
    /// - Returns: The result of the body.
    /// - Throws: The error that the body throws.
    @discardableResult
    public static func withShared<Result>(
        _ preferences: Preferences,
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        overrideCount.increment()
        return try await $sharedOverride.withValue(preferences, operation: body)
    }
}
