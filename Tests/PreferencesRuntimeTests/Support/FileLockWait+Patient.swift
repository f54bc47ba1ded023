@testable import PreferencesRuntime
import PreferencesSystem

extension FileLockWait {
    /// A wait that ends when the lock is free.
    static var patient: FileLockWait { FileLockWait(timeout: .seconds(3_600)) }
}
