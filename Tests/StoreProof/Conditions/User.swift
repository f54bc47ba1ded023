import Foundation

/// Whom this process works for.
enum User {
    private static let nobody: uid_t = 65_534

    /// Gives up the rights of the superuser, for good.
    ///
    /// - Parameter folder: Is given to the ordinary user, who may also get there.
    static func becomeOrdinary(owning folder: URL) throws {
        guard geteuid() == 0 else { return }
        var parent = folder.deletingLastPathComponent()
        while parent.path.contains("preferences-") {
            guard chmod(parent.path, 0o755) == 0 else { throw SystemFailure(code: errno) }
            parent.deleteLastPathComponent()
        }
        guard chown(folder.path, nobody, nobody) == 0, setgid(nobody) == 0, setuid(nobody) == 0 else {
            throw SystemFailure(code: errno)
        }
    }
}
