#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The access that other users had to a file of secrets.
package struct FileExposure {
    /// Why the file still has its permissions.
    private enum Obstacle {
        case anotherOwner(uid_t)
        case linkOfAnother(uid_t)
        case error(SystemError)
    }

    private let path: String
    private let mode: mode_t
    private let obstacle: Obstacle?

    /// Whether other users have no access any more.
    package var isEnded: Bool { obstacle == nil }

    /// The permissions of group and others.
    private static let others: mode_t = 0o077

    /// Narrows the permissions of a file to those of its owner, if it has others and belongs to the user of the process.
    ///
    /// What is at the path is opened, and checked and changed as the open file, so that no other file is changed that takes
    /// the place meanwhile.
    ///
    /// - Parameters:
    ///   - path: The file; or a link to it, which is followed unless it belongs to another user.
    ///   - isOpenable: Whether the file may be opened for reading. A SQLite database must not be: closing it would end the
    ///     locks that SQLite has on it.
    /// - Returns: Nil where no other user has access, there is no file, or it cannot be found.
    package init?(endingAt path: String, isOpenable: Bool = true) {
        var (status, link) = (stat(), stat())
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_mode & Self.others != 0 else {
            return nil
        }
        self.path = path
        let user = geteuid()
        if lstat(path, &link) == 0, link.st_mode & S_IFMT == S_IFLNK, link.st_uid != user, link.st_uid != 0 {
            mode = status.st_mode & 0o7777
            obstacle = .linkOfAnother(link.st_uid)
            return
        }
        guard status.st_uid == user else {
            mode = status.st_mode & 0o7777
            obstacle = .anotherOwner(status.st_uid)
            return
        }
        do throws(SystemError) {
            guard let mode = isOpenable ? try Self.narrow(path, user) : try Self.narrowUnopened(path, user) else {
                return nil
            }
            (self.mode, obstacle) = (mode, nil)
        } catch {
            (mode, obstacle) = (status.st_mode & 0o7777, .error(error))
        }
    }

    /// - Returns: The former permissions; nil where it is another file by now, which the next check is about.
    private static func narrow(_ path: String, _ user: uid_t) throws(SystemError) -> mode_t? {
        let file = try OpenFile(path, O_RDONLY | O_NONBLOCK)
        guard let mode = mode(of: try file.status(), user) else { return nil }
        try file.setMode(mode & ~others)
        return mode
    }

    private static func mode(of status: stat, _ user: uid_t) -> mode_t? {
        guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == user, status.st_mode & others != 0 else {
            return nil
        }
        return status.st_mode & 0o7777
    }

    #if !canImport(Darwin)
        /// `O_PATH`, which the C library declares only as an extension: the descriptor refers to the file, and does not open it.
        private static let opensPathOnly: CInt = 0o10_000_000
    #endif

    private static func narrowUnopened(_ path: String, _ user: uid_t) throws(SystemError) -> mode_t? {
        #if canImport(Darwin)
            var status = stat()
            try SystemError.check("look at", path) { lstat(path, &status) }
            guard let mode = mode(of: status, user) else { return nil }
            try SystemError.check("set the permissions of", path) {
                fchmodat(AT_FDCWD, path, mode & ~others, AT_SYMLINK_NOFOLLOW)
            }
            return mode
        #else
            let descriptor = open(path, opensPathOnly | O_NOFOLLOW | O_CLOEXEC)
            guard descriptor >= 0 else { throw SystemError(operation: "look at", path: path, code: errno) }
            defer { close(descriptor) }
            var status = stat()
            try SystemError.check("look at", path) { fstat(descriptor, &status) }
            guard let mode = mode(of: status, user) else { return nil }
            try SystemError.check("set the permissions of", path) {
                chmod("/proc/self/fd/\(descriptor)", mode & ~others)
            }
            return mode
        #endif
    }

    /// The report of it.
    ///
    /// - Parameter store: The store's label.
    package func problem(in store: String) -> PreferenceProblem {
        let consequence =
            switch obstacle {
            case nil:
                "they were narrowed to \(Self.text(mode & ~Self.others)); replace the secrets that others may have read"
            case .anotherOwner(let user):
                "the file belongs to user \(user), and was left as it is: have its owner run 'chmod go= \(path)'"
            case .linkOfAnother(let user):
                "a link of user \(user) leads to the file, which was left as it is: give the store the file's own path"
            case .error(let error): "they could not be narrowed (\(error)): run 'chmod go= \(path)'"
            }
        return PreferenceProblem(
            .secretsExposed,
            store: store,
            message: "other users have access to the secrets in \(path), whose permissions are \(Self.text(mode)); "
                + consequence,
            isMessagePublic: true
        )
    }

    private static func text(_ mode: mode_t) -> String {
        let digits = String(mode, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
