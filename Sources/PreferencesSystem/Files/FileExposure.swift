/// The access that other users had to a file with secrets.
package struct FileExposure: CustomStringConvertible {
    /// The reason why the permissions were not changed.
    private enum Obstacle {
        case anotherOwner(uid_t)
        case error(SystemError)
    }

    private let path: String
    private let mode: mode_t
    private let obstacle: Obstacle?

    /// Whether other users have no access now.
    package var isEnded: Bool { obstacle == nil }

    private static let groupAndOtherBits: mode_t = 0o077

    /// Removes group and other permissions from a file that the process's user owns.
    ///
    /// They are changed through a descriptor, so that a file that replaces this one is not affected.
    ///
    /// - Parameters:
    ///   - path: The file, or a link to it. A link that is not trusted is ignored: see
    ///     ``FolderEntry/init(following:makingFolders:)``.
    ///   - isOpenable: Whether the file may be opened for reading. A SQLite database must not be: closing it would
    ///     release SQLite's locks.
    /// - Returns: Nil if no other user has access, or no file is found.
    package init?(endingAt path: String, isOpenable: Bool = true) {
        guard let entry = try? FolderEntry(following: path), let status = try? entry.status(),
            status.st_mode & S_IFMT == S_IFREG,
            status.st_mode & Self.groupAndOtherBits != 0 || ![0, geteuid()].contains(status.st_uid)
        else { return nil }
        self.path = path
        mode = status.st_mode & 0o7777
        guard status.st_uid == geteuid() else {
            obstacle = .anotherOwner(status.st_uid)
            return
        }
        do throws(SystemError) {
            if isOpenable {
                let file = try entry.open(O_RDONLY | O_NONBLOCK)
                if let mode = Self.narrowMode(of: try file.status()) { try file.setMode(mode) }
            } else {
                try entry.changeModeUnopened(Self.narrowMode)
            }
            obstacle = nil
        } catch {
            obstacle = .error(error)
        }
    }

    /// Returns the permissions without those of other users; nil for a file of another user, which is not changed.
    private static func narrowMode(of status: stat) -> mode_t? {
        guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else { return nil }
        return status.st_mode & 0o7777 & ~groupAndOtherBits
    }

    /// The exposure, what was done about it, and what the user must do, as one sentence without a full stop.
    package var description: String {
        let consequence =
            switch obstacle {
            case nil:
                "they were narrowed to \(Self.text(mode & ~Self.groupAndOtherBits)); replace secrets that other users may "
                    + "have read"
            case .anotherOwner(let user):
                "the file belongs to user \(user): give it to the process's user by 'chown \(geteuid()) \(path)', and run "
                    + "'chmod go= \(path)'"
            case .error(let error): "they could not be narrowed (\(error)): run 'chmod go= \(path)'"
            }
        return
            "other users have access to the secrets in \(path), whose permissions are \(Self.text(mode)); \(consequence)"
    }

    private static func text(_ mode: mode_t) -> String {
        let digits = String(mode, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
