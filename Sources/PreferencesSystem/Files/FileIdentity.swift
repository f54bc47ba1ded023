/// What tells one file from another, whatever their names are.
package struct FileIdentity: Hashable, Sendable {
    private let device: dev_t
    private let inode: ino_t

    package init(_ status: stat) {
        device = status.st_dev
        inode = status.st_ino
    }

    /// Of what is at a path, or nil where there is nothing.
    package static func current(_ path: String) throws(SystemError) -> FileIdentity? {
        try FileStatus.current(path).map { FileIdentity($0) }
    }
}

/// What a file is found by, be there one or not: paths that have a key in common lead to one file.
package enum FileKey: Hashable, Sendable {
    case path(String)
    /// Where links lead; not known while the folder is missing.
    case place(folder: FileIdentity, name: String)

    /// The keys of a path: one, or two if its folder exists.
    package static func keys(of path: String) -> [FileKey] {
        keys(of: path, leadingTo: try? FolderEntry(following: path))
    }

    /// - Parameter entry: The file that links lead to; nil if it cannot be found.
    package static func keys(of path: String, leadingTo entry: FolderEntry?) -> [FileKey] {
        guard let entry, let folder = try? entry.folder.identity() else { return [.path(path)] }
        return [.path(path), .place(folder: folder, name: entry.name)]
    }
}

/// Reads the status of files. The package's other libraries use it instead of the system calls, so that only this library
/// must declare them in a privacy manifest.
package enum FileStatus {
    /// Returns the status of a file; nil where there is none.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - followsLink: Whether to return the status of a link's target, which is the default, and not of the link itself.
    package static func current(_ path: String, followsLink: Bool = true) throws(SystemError) -> stat? {
        var status = stat()
        do {
            try SystemError.check("look at", path) { followsLink ? stat(path, &status) : lstat(path, &status) }
        } catch {
            if error.code == ENOENT || error.code == ENOTDIR { return nil }
            throw error
        }
        return status
    }
}

/// What is another once a file was replaced, or written to, be it with the same bytes: but for two changes in one tick of
/// the system's clock, which takes some milliseconds.
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

    /// Whether this is a version of the file with a status. Another user's file may have the number of one that is gone.
    func isOf(_ status: stat) -> Bool { identity == FileIdentity(status) && owner == status.st_uid }

    /// The owner, group and permissions of a new file that takes the place of another one, and has values of this version.
    ///
    /// If the other file is not the one that the values come from, another user may have put it there. The new file then
    /// has the owner and the group of this version, and only permissions that both files have.
    ///
    /// - Parameter status: The status of the file that is replaced.
    func statusOfSuccessor(replacing status: stat) -> stat {
        var result = status
        if !isOf(status) { (result.st_uid, result.st_gid, result.st_mode) = (owner, group, mode & status.st_mode) }
        return result
    }
}
