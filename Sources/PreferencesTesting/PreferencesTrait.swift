#if canImport(Testing)
    public import PreferencesRuntime
    public import Testing

    /// Gives each test its own `Preferences.shared`, so that tests can run in parallel, and none changes the user's
    /// preferences.
    ///
    /// ```swift
    /// @Test(.preferences(.inMemory(["weather:unit": "fahrenheit"])))
    /// func showsFahrenheit() {
    ///     #expect(Thermometer().text == "70 °F")
    /// }
    /// ```
    ///
    /// Each case of a test with arguments, and each test of a suite with this trait, has preferences of its own. As
    /// with `Preferences.withShared(_:_:)`, tasks that the test starts use them, but not detached tasks, threads and
    /// dispatch queues.
    public struct PreferencesTrait: TestTrait, SuiteTrait, TestScoping {
        private let make: @Sendable () -> Preferences

        fileprivate init(_ make: @escaping @Sendable () -> Preferences) {
            self.make = make
        }

        /// Always true: a suite passes the trait to each of its tests.
        public var isRecursive: Bool { true }

        /// Runs a test with its own `Preferences.shared`.
        public func provideScope(
            for test: Test,
            testCase: Test.Case?,
            performing function: @Sendable () async throws -> Void
        ) async throws {
            try await Preferences.withShared(make()) { try await function() }
        }
    }

    extension Trait where Self == PreferencesTrait {
        /// Returns a trait that gives each test its own `Preferences.shared`.
        ///
        /// - Parameter preferences: The preferences, which are created for each test, and each case of its arguments:
        ///   `.inMemory()`, or others that the tests do not share.
        public static func preferences(_ preferences: @autoclosure @escaping @Sendable () -> Preferences) -> Self {
            PreferencesTrait(preferences)
        }
    }
#endif
