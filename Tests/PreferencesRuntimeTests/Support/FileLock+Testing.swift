@testable import PreferencesRuntime
@testable import PreferencesSystem

extension FileLock {
    init(_ path: String, wait: FileLockWait) throws {
        self = try FileLock(FolderEntry(following: path), wait: wait)
    }

    static func isHeldByThisThread(_ path: String) throws -> Bool {
        try isHeldByThisThread(FolderEntry(following: path))
    }
}

extension FileLockWait {
    /// A wait that ends only when the lock is free.
    static var patient: FileLockWait { FileLockWait(timeout: .seconds(3_600)) }
}
