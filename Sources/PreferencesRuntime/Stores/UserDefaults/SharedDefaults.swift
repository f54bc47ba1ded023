import PreferencesSystem
import Foundation

/// User defaults that any thread may use.
struct SharedDefaults: @unchecked Sendable {  // For one thread at a time, or documented for many: see `defaults`.
    // Apple documents `UserDefaults` as safe to use from threads at the same time. Foundation on Linux does not say so
    // (there it is not `Sendable`), and gets one lock for all: suites share the domains behind them. A closure that makes
    // a batch of changes has it, too, and reads.
    private let defaults: UserDefaults

    #if !canImport(Darwin)
        private static let access = RecursiveLock()
    #endif

    init(_ defaults: UserDefaults) {
        self.defaults = defaults
    }

    /// How values are turned into objects: Foundation on Linux saves XML.
    static var coding: PropertyListValue {
        #if canImport(Darwin)
            PropertyListValue(isXML: false)
        #else
            PropertyListValue(isXML: true)
        #endif
    }

    func withAccess<Result>(_ body: (UserDefaults) throws -> Result) rethrows -> Result {
        #if canImport(Darwin)
            // Without a lock: a setter calls its observers, who may read.
            return try body(defaults)
        #else
            return try Self.access.withLock { try body(defaults) }
        #endif
    }
}
