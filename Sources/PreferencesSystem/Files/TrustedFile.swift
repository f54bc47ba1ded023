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
            try UntrustedFileError.check(status, entry.path)
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
    /// - Parameter isFolder: Whether to find only the folder, in which the name need not exist.
    /// - Returns: Nil if there is no file, or no folder.
    private static func find(_ path: String, isFolder: Bool) throws -> FolderEntry? {
        var folder = try OpenFolder(.root)
        try UntrustedFileError.check(try folder.status(), folder.path)
        // The remaining names, the next one last.
        var names = FilePath.reversedNames(in: path)
        var linkCount = 0
        while let name = names.popLast() {
            let entry = FolderEntry(name, in: folder)
            if isFolder, names.isEmpty { return FolderEntry(name, in: try folder.openedForUse()) }
            guard let status = try entry.status() else { return nil }
            switch status.st_mode & S_IFMT {
            case S_IFLNK:
                // Only the superuser can have created it.
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
                do {
                    try UntrustedFileError.check(try folder.status(), folder.path)
                } catch let error as UntrustedFileError {
                    // Without a file in it, there is nothing to trust.
                    guard !isFolder, let last = names.first, names.count == 1,
                        try FolderEntry(last, in: folder).status() == nil
                    else { throw error }
                    return nil
                }
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
    }

    /// The file, or a folder on the way to it.
    private let path: String
    private let fault: Fault

    /// Throws if a user other than the superuser may change a file or a folder.
    ///
    /// The group must not write either, not even the superuser's: with an access control list, its permissions are the
    /// most that any entry of the list grants.
    fileprivate static func check(_ status: stat, _ path: String) throws(UntrustedFileError) {
        if status.st_uid != 0 { throw UntrustedFileError(path: path, fault: .owner(status.st_uid)) }
        if status.st_mode & 0o002 != 0 { throw UntrustedFileError(path: path, fault: .everyone) }
        if status.st_mode & 0o020 != 0 { throw UntrustedFileError(path: path, fault: .group) }
    }

    /// `/etc/xdg/weather is owned by user 1000, not by root: chown it to root`.
    package var description: String {
        switch fault {
        case .owner(let user): "\(path) is owned by user \(user), not by root: chown it to root"
        case .group: "\(path) is writable by its group: run 'chmod g-w \(path)'"
        case .everyone:
            "\(path) is writable by all users: run 'chmod go-w \(path)', or use a folder that only root can change"
        }
    }
}
