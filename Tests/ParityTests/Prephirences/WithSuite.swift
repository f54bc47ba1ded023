import Foundation
import Testing

/// Runs a body with a new suite of user defaults, and removes the suite.
func withSuite(_ body: (String, UserDefaults) throws -> Void) throws {
    let suite = "preferences-tests-\(UUID().uuidString)"
    let defaults = try #require(UserDefaults(suiteName: suite))
    defer {
        defaults.removePersistentDomain(forName: suite)
        _ = defaults.synchronize()
    }
    try body(suite, defaults)
}
