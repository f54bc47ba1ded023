import Foundation

/// User defaults of a suite of its own.
struct DefaultsSuite {
    let name = "swift-preferences-benchmarks-\(UUID().uuidString)"
    let defaults: UserDefaults

    init() throws {
        guard let defaults = UserDefaults(suiteName: name) else { throw CocoaError(.featureUnsupported) }
        self.defaults = defaults
    }

    /// Leaves nothing of it behind.
    func remove() {
        defaults.removePersistentDomain(forName: name)
        // On Linux this deletes the file.
        _ = defaults.synchronize()
    }
}
