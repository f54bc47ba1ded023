/// The identity of a file, which does not depend on its names.
package struct FileIdentity: Hashable, Sendable {
    private let device: dev_t
    private let inode: ino_t

    package init(_ status: stat) {
        device = status.st_dev
        inode = status.st_ino
    }

    /// Returns the identity of the file at a path; nil if there is none.
    package static func current(_ path: String) throws(SystemError) -> FileIdentity? {
        try FileStatus.current(path).map { FileIdentity($0) }
    }
}

/// A key of a file that may not exist. Paths that have a key in common lead to the same file.
package enum FileKey: Hashable, Sendable {
    case path(String)
    /// The location that links lead to, which is unknown while the folder is missing.
    case location(folder: FileIdentity, name: String)

    /// Returns the keys of a path: one, or two if its folder exists.
    package static func keys(of path: String) -> [FileKey] {
        keys(of: path, leadingTo: try? FolderEntry(following: path))
    }

    /// Returns the keys of a path.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - entry: The file that links lead to; nil if it cannot be found.
    package static func keys(of path: String, leadingTo entry: FolderEntry?) -> [FileKey] {
        guard let entry, let folder = try? entry.folder.identity() else { return [.path(path)] }
        return [.path(path), .location(folder: folder, name: entry.name)]
    }
}

/// Reads the status of files. The package's other libraries use it instead of the system calls, so that only this
/// module must declare these in a privacy manifest.
package enum FileStatus {
    /// Returns the status of a file; nil if there is none.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - followsLink: Whether to return the status of a link's target, as by default, instead of that of the link.
    package static func current(_ path: String, followsLink: Bool = true) throws(SystemError) -> stat? {
        var status = stat()
        do {
            try SystemError.check(.inspect, path) { followsLink ? stat(path, &status) : lstat(path, &status) }
        } catch {
            if error.code == ENOENT || error.code == ENOTDIR { return nil }
            throw error
        }
        return status
    }
}

/// A version of a file, which differs after each write or replacement, even with the same bytes.
///
/// Two changes within one tick of the system's clock, a few milliseconds, may have the same version.
package struct FileVersion: Equatable {
    private let identity: FileIdentity
    private let time: FileTime
    private let owner: uid_t
    private let group: gid_t
    private let mode: mode_t

    init(_ status: stat) {
        identity = FileIdentity(status)
        time = FileTime(ofChange: status)
        (owner, group, mode) = (status.st_uid, status.st_gid, status.st_mode)
    }

    /// Whether this is a version of the file with a status. The owner is compared too: another user's file can reuse
    /// the number of a removed one.
    func isVersion(ofFileWith status: stat) -> Bool { identity == FileIdentity(status) && owner == status.st_uid }

    /// Returns the owner, group and permissions of a file that has values of this version, and replaces another file.
    ///
    /// If the replaced file is not the one that the values come from, another user may have put it there. The new file
    /// then gets the owner and the group of this version, and only the permissions that both files have.
    ///
    /// - Parameter status: The status of the replaced file.
    func statusOfSuccessor(replacing status: stat) -> stat {
        var result = status
        if !isVersion(ofFileWith: status) {
            (result.st_uid, result.st_gid, result.st_mode) = (owner, group, mode & status.st_mode)
        }
        return result
    }
}
