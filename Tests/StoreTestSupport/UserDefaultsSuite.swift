import Foundation

/// Runs a body with the name of a suite of its own, of which nothing is left afterwards.
package func withUserDefaultsSuite<Result>(_ body: (String) throws -> Result) throws -> Result {
    let suite = "preferences-tests-\(UUID().uuidString)"
    defer { removeSuite(suite) }
    return try body(suite)
}

/// Runs an asynchronous body with the name of a suite of its own, of which nothing is left afterwards.
package func withUserDefaultsSuite<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    let suite = "preferences-tests-\(UUID().uuidString)"
    defer { removeSuite(suite) }
    return try await body(suite)
}

private func removeSuite(_ suite: String) {
    let defaults = UserDefaults(suiteName: suite)
    defaults?.removePersistentDomain(forName: suite)
    // On Linux this deletes the file.
    _ = defaults?.synchronize()
}
