/// A system call that failed: what for, on which file, and why.
package struct SystemError: Error, CustomStringConvertible {
    /// In words that fit after "cannot": `open`, `rename`.
    package let operation: String
    package let path: String
    /// The value of `errno`.
    package let code: CInt

    /// Whether a lock was not free in time.
    package var isLockTimeout: Bool { operation == "lock" && code == ETIMEDOUT }

    /// Whether a folder, a device or the like has the name of a file.
    package var isNotAFile: Bool { operation.hasPrefix("read") && [EISDIR, EINVAL].contains(code) }

    /// Whether a file was to be locked while stores are suspended.
    package var isSuspension: Bool { operation == "lock" && code == ECANCELED }

    /// Makes the error for a file that is protected until the device has been unlocked for the first time after its start.
    package init(protectedFile path: String) {
        self.init(operation: "read", path: path, code: EPERM)
    }

    /// Whether the system does not let the file be opened, as while it is protected.
    package var isRefusal: Bool { operation == "open" && code == EPERM }

    /// `cannot open /etc/preferences.json: Permission denied`.
    package var description: String {
        "cannot \(operation) \(path): \(String(cString: strerror(code)))\(advice.map { "; \($0)" } ?? "")"
    }

    /// What to do where the system's own words leave one at a loss.
    private var advice: String? {
        switch (operation, code) {
        case ("lock", ENOLCK), ("lock", ENOTSUP), ("lock", ENOSYS):
            "this file system has no locks, without which programs undo each other's changes: keep the file on another one"
        case ("read", EPERM):
            "it may be protected until the device has been unlocked for the first time after its start"
        case ("lock", EEXIST):
            "it is not the lock of this file, as it has contents, a second name or another owner: move it away"
        case ("open the database with", EPERM):
            "it does not belong to the database's owner: move it away, or give it to that user"
        case ("follow the link", EPERM):
            "another user owns this link, in a folder that other users can write: replace it with your own link, or use the "
                + "path of its target"
        case ("lock", EACCES):
            "it is another user's: give it the owner and permissions of the file beside it, or remove it"
        case ("write", EPERM): "the file is protected, see lsattr(1)"
        case ("replace", EPERM):
            "the file is protected, see lsattr(1); or it is another user's, and its folder is sticky, see chmod(1)"
        case ("replace", ENOSYS), ("replace", ENOTSUP), ("replace", EXDEV):
            "this file system does not let one file take another's place: keep the file on another one"
        case ("replace", EEXIST): "something else has just taken its place, try again"
        case ("replace", EBUSY): "the file is mounted by itself, and so cannot be replaced: mount its folder"
        default: nil
        }
    }

    /// Makes an error.
    package init(operation: String, path: String, code: CInt) {
        self.operation = operation
        self.path = path
        self.code = code
    }

    /// Makes the error for a link that another user may have put in its place.
    init(untrustedLink path: String) {
        self.init(operation: "follow the link", path: path, code: EPERM)
    }

    /// Makes a system call, again where a signal interrupted it.
    ///
    /// - Parameter call: Gives a negative number where it failed, and has set `errno` then.
    @discardableResult
    package static func check<Result: SignedInteger>(
        _ operation: String,
        _ path: String,
        _ call: () -> Result
    ) throws(SystemError) -> Result {
        while true {
            let result = call()
            if result >= 0 { return result }
            let code = errno
            if code != EINTR { throw SystemError(operation: operation, path: path, code: code) }
        }
    }
}
