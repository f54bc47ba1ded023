/// A failed system call: its purpose, its file, and the reason.
package struct SystemError: Error, CustomStringConvertible {
    /// The purpose of a call, in words that follow "cannot".
    package enum Operation: String, Sendable {
        case open
        case create
        case createBeside = "create a file beside"
        case makeFolder = "make the folder"
        case enterFolder = "enter the folder"
        case list
        case inspect
        case followLink = "follow the link"
        case resolvePath = "follow the links of"
        case read
        case readAsFile = "read as a file"
        case openDatabase = "open the database with"
        case write
        case sync
        case replace
        case setAside = "set aside"
        case remove
        case setPermissions = "set the permissions of"
        case setOwner = "set the owner of"
        case copyAttributes = "copy the extended attributes of"
        case compareSetAside = "compare what another program may have saved just now, which was set aside as"
        case lock
        case watch
    }

    package let operation: Operation
    package let path: String
    /// The value of `errno`.
    package let code: CInt

    /// Whether a lock was not free within the time limit.
    package var isLockTimeout: Bool { operation == .lock && code == ETIMEDOUT }

    /// Whether the path is that of a folder, a device or the like.
    package var isNotAFile: Bool { [.read, .readAsFile].contains(operation) && [EISDIR, EINVAL].contains(code) }

    /// Whether a lock was refused because stores are suspended.
    package var isSuspension: Bool { operation == .lock && code == ECANCELED }

    /// Creates the error for a file that is protected until the device is unlocked for the first time after its start.
    package init(protectedFile path: String) {
        self.init(operation: .read, path: path, code: EPERM)
    }

    /// Whether the system does not permit opening the file, as while it is protected.
    package var isOpeningRefused: Bool { operation == .open && code == EPERM }

    /// `cannot open /etc/preferences.json: Permission denied`.
    package var description: String {
        "\(fault)\(advice.map { "; \($0)" } ?? "")"
    }

    /// The description without the advice.
    package var fault: String { "cannot \(operation.rawValue) \(path): \(String(cString: strerror(code)))" }

    /// What the user can do, for reasons that the system's message does not explain.
    package var advice: String? {
        switch (operation, code) {
        case (.lock, ENOLCK), (.lock, ENOTSUP), (.lock, ENOSYS):
            "this file system has no locks, without which programs undo each other's changes: keep the file on another one"
        case (.read, EPERM):
            "it may be protected until the device has been unlocked for the first time after its start"
        case (.lock, EEXIST):
            "it is not the lock of this file, as it has contents, a second name or another owner: move it away"
        case (.openDatabase, EPERM):
            "it does not belong to the database's owner: move it away, or give it to that user"
        case (.followLink, EPERM):
            "another user owns this link, in a folder that other users can write: replace it with your own link, or use the "
                + "path of its target"
        case (.lock, EACCES):
            "it is another user's: give it the owner and permissions of the file beside it, or remove it"
        case (.write, EPERM): "the file is protected, see lsattr(1)"
        case (.replace, EPERM):
            "the file is protected, see lsattr(1); or it is another user's, and its folder is sticky, see chmod(1)"
        case (.replace, ENOSYS), (.replace, ENOTSUP), (.replace, EXDEV):
            "this file system does not let one file take another's place: keep the file on another one"
        case (.replace, EEXIST): "something else has just taken its place, try again"
        case (.replace, EBUSY): "the file is mounted by itself, and so cannot be replaced: mount its folder"
        default: nil
        }
    }

    /// Creates an error.
    package init(operation: Operation, path: String, code: CInt) {
        self.operation = operation
        self.path = path
        self.code = code
    }

    /// Creates the error for a link that another user may have created.
    init(untrustedLink path: String) {
        self.init(operation: .followLink, path: path, code: EPERM)
    }

    /// Makes a system call, and repeats it if a signal interrupts it.
    ///
    /// - Parameters:
    ///   - operation: The purpose of the call, for errors.
    ///   - path: The file, for errors.
    ///   - call: The call, which returns a negative number and sets `errno` if it fails.
    @discardableResult
    package static func check<Result: SignedInteger>(
        _ operation: Operation,
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
