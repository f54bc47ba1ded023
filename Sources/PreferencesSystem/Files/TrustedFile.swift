/// Reading files that only the superuser can have written, such as an administrator's policy.
///
/// A file is trusted if the superuser owns it and nobody else may write it, and if the same holds for every folder on the
/// way to it, also on the way of links. The root folder is checked first, then each folder in the one before, so that no
/// other user can have replaced anything between a check and the next step. The file is checked after it was opened, by
/// its descriptor, and read from there.
///
/// A folder like `/tmp` is not trusted, although other users cannot rename or remove the superuser's files there: they
/// could have created the name themselves, or have linked one of the superuser's files that is meant for another purpose.
package enum TrustedFile {
    /// Reads a file.
    ///
    /// - Parameter path: An absolute path.
    /// - Returns: The bytes; nil if there is no file.
    /// - Throws: ``UntrustedFileError``; ``SystemError``, if it cannot be read.
    package static func read(_ path: String) throws -> [UInt8]? {
        try repeatedly(path) {
            guard let entry = try find(path, isFolder: false) else { return nil }
            // Without O_NONBLOCK, `open` would wait for the other end of a named pipe.
            let file = try entry.open(O_RDONLY | O_NONBLOCK)
            let status = try file.status()
            switch status.st_mode & S_IFMT {
            case S_IFREG: break
            case S_IFDIR: throw SystemError(operation: .read, path: path, code: EISDIR)
            default: throw SystemError(operation: .readAsFile, path: path, code: EINVAL)
            }
            if let fault = UntrustedFileError(of: status, entry.path) { throw fault }
            return try file.readToEnd(expecting: Int(clamping: status.st_size))
        }
    }

    /// Returns the names in a folder, except those that begin with a dot.
    ///
    /// - Parameter path: An absolute path.
    /// - Returns: The names, sorted; nil if there is no folder.
    /// - Throws: ``UntrustedFileError``; ``SystemError``, if the folder cannot be listed.
    package static func names(in path: String) throws -> [String]? {
        try repeatedly(path) {
            // A name in the folder, which need not exist. The folder itself is looked for first, as a file is.
            guard try find(path, isFolder: false) != nil,
                let folder = try find("\(path)/-", isFolder: true)?.folder
            else { return nil }
            return try folder.names { $0.first != UInt8(ascii: ".") }.sorted()
        }
    }

    /// Repeats a search if another process replaces a file or a folder meanwhile.
    private static func repeatedly<Result>(_ path: String, _ body: () throws -> Result?) throws -> Result? {
        for _ in 0..<FilePath.maximumLinkCount {
            do {
                return try body()
            } catch let error as SystemError {
                switch (error.operation, error.code) {
                case (.open, ENOENT), (.enterFolder, ENOENT), (.open, ELOOP), (.enterFolder, ENOTDIR),
                    (.enterFolder, ELOOP):
                    continue
                default: throw error
                }
            }
        }
        throw SystemError(operation: .resolvePath, path: path, code: ELOOP)
    }

    /// Finds a name in a trusted folder, and follows links.
    ///
    /// The search goes on in folders that are not trusted, because a missing file is no fault. If it fails there, the
    /// file is not trusted: it may exist.
    ///
    /// - Parameter isFolder: Whether to find only the folder, in which the name need not exist.
    /// - Returns: Nil if there is no file, or no folder.
    private static func find(_ path: String, isFolder: Bool) throws -> FolderEntry? {
        var fault: UntrustedFileError?
        do {
            guard let entry = try search(path, isFolder: isFolder, &fault) else { return nil }
            if let fault { throw fault }
            return entry
        } catch {
            throw fault ?? error
        }
    }

    /// - Parameter fault: Receives the first folder on the way that is not trusted.
    private static func search(
        _ path: String,
        isFolder: Bool,
        _ fault: inout UntrustedFileError?
    ) throws -> FolderEntry? {
        var folder = try OpenFolder(.root)
        func check() throws {
            fault = try fault ?? UntrustedFileError(of: folder.status(), folder.path)
        }
        try check()
        // The remaining names, the next one last.
        var names = FilePath.reversedNames(in: path)
        var linkCount = 0
        while let name = names.popLast() {
            let entry = FolderEntry(name, in: folder)
            if isFolder, names.isEmpty { return FolderEntry(name, in: try folder.openedForUse()) }
            guard let status = try entry.status() else { return nil }
            switch status.st_mode & S_IFMT {
            case S_IFLNK:
                // Only the superuser can have created it, unless there is a fault.
                linkCount += 1
                guard linkCount <= FilePath.maximumLinkCount else {
                    throw SystemError(operation: .resolvePath, path: path, code: ELOOP)
                }
                guard let target = try entry.linkTarget() else {
                    throw SystemError(operation: .enterFolder, path: entry.path, code: ENOTDIR)
                }
                names += FilePath.reversedNames(in: target)
                if target.hasPrefix("/") { folder = try OpenFolder(.root) }
            case S_IFDIR where !names.isEmpty:
                folder = try entry.openFolder()
                try check()
            case _ where !names.isEmpty: return nil
            default: return FolderEntry(name, in: try folder.openedForUse())
            }
        }
        return nil
    }
}

/// The reason why a file is not trusted, and what to do.
package struct UntrustedFileError: Error, CustomStringConvertible {
    private enum Fault {
        case owner(uid_t)
        case group
        case everyone
        /// A folder such as `/tmp`, whose permissions programs rely on.
        case sticky
    }

    /// The file, or a folder on the way to it.
    private let path: String
    private let fault: Fault

    /// Creates the reason; nil if only the superuser may change the file or folder.
    ///
    /// The group must not write either, not even the superuser's: with a POSIX access control list, its permissions are
    /// the most that any entry of the list grants to a user or group. The lists of macOS are not visible in them.
    fileprivate init?(of status: stat, _ path: String) {
        let isShared = status.st_mode & 0o022 != 0
        if status.st_mode & S_IFMT == S_IFDIR, status.st_mode & 0o1000 != 0, isShared {
            fault = .sticky
        } else if status.st_uid != 0 {
            fault = .owner(status.st_uid)
        } else if status.st_mode & 0o002 != 0 {
            fault = .everyone
        } else if isShared {
            fault = .group
        } else {
            return nil
        }
        self.path = path
    }

    /// `/etc/xdg/weather is owned by user 1000, not by root: chown it to root`.
    package var description: String {
        switch fault {
        case .owner(let user): "\(path) is owned by user \(user), not by root: chown it to root"
        case .group: "\(path) is writable by its group: run 'chmod g-w \(path)'"
        case .sticky:
            "\(path) is a sticky folder that other users can write: use a folder that only root can change"
        case .everyone:
            "\(path) is writable by all users: run 'chmod go-w \(path)', or use a folder that only root can change"
        }
    }
}
