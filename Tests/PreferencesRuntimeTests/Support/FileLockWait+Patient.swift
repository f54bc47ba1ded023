@testable import PreferencesRuntime

extension FileLockWait {
    /// A wait that ends when the lock is free.
    static var patient: FileLockWait { FileLockWait(timeout: .seconds(3_600)) }
}
