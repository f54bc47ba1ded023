/// The file of a store: read whole, and replaced whole, so that it is never seen half written.
package struct StoreFile: Sendable {
    /// As the user gave it; it may be a link.
    package let path: String

    package init(path: String) {
        self.path = path
    }

    /// Reads the file; nil where there is none.
    package func read() throws(SystemError) -> (bytes: [UInt8], version: FileVersion)? {
        for _ in 0..<FilePath.maximumLinkCount {
            do throws(SystemError) {
                return try entry()?.read()
            } catch {
                // A link has taken the place of the file that was found.
                if error.code != ELOOP || error.operation != "open" { throw error }
            }
        }
        throw SystemError(operation: "follow the links of", path: path, code: ELOOP)
    }

    /// The file that links lead to; nil where its folder is missing.
    private func entry() throws(SystemError) -> FolderEntry? {
        do throws(SystemError) {
            return try FolderEntry(following: path)
        } catch {
            if error.code == ENOENT || error.code == ENOTDIR { return nil }
            throw error
        }
    }

    /// Whether there is nothing where links lead.
    package func isMissing() throws(SystemError) -> Bool {
        try entry()?.status() == nil
    }

    /// The seconds since the file was changed; negative where the clock was set back since.
    package func age() throws(SystemError) -> Double {
        guard let status = try entry()?.status() else {
            throw SystemError(operation: "look at", path: path, code: ENOENT)
        }
        return FileTime.now().map(FileTime(of: status).seconds) ?? .infinity
    }

    /// Waits until no other process, nor another store in this one, changes the file. Its folder is made if it is
    /// missing.
    ///
    /// - Parameters:
    ///   - wait: How long to wait.
    ///   - isPrivate: Whether only the file's owner is to have access to its next contents and its lock.
    /// - Throws: ``SystemError``, whose ``SystemError/isLockTimeout`` is true where the file was not free in time.
    package func lock(_ wait: FileLockWait, isPrivate: Bool = false) throws(SystemError) -> LockedStoreFile {
        try lock(spare: nil, wait: wait, isPrivate: isPrivate)
    }

    /// - Parameters:
    ///   - spare: Where a file may be kept between one change and the next.
    ///   - wait: How long to wait.
    ///   - isPrivate: Whether only the file's owner is to have access to its next contents and its lock.
    package func lock(spare: SpareFile?, wait: FileLockWait, isPrivate: Bool = false) throws(SystemError)
        -> LockedStoreFile
    {
        // Links stay: the file that they lead to is replaced. Two links to one file share its lock.
        let entry = try FolderEntry(following: path, makingFolders: true)
        return LockedStoreFile(
            entry: entry,
            lock: try FileLock(entry.lock, for: Self.users(of: entry, isPrivate: isPrivate), wait: wait),
            spare: spare,
            isPrivate: isPrivate
        )
    }

    /// Whether the calling thread would wait for itself in ``lock()``.
    package func isLockedByThisThread() throws(SystemError) -> Bool {
        guard FileLock.isAnyHeldByThisThread else { return false }
        return try entry().map { entry throws(SystemError) in try FileLock.isHeldByThisThread(entry.lock) } ?? false
    }

    /// The users that may write the file, so that they can lock it, and no other user can keep them from it.
    private static func users(of entry: FolderEntry, isPrivate: Bool) throws(SystemError) -> FileLock.Users? {
        guard let status = try entry.status() else { return nil }
        let writing = isPrivate ? 0 : status.st_mode & 0o222
        return FileLock.Users(owner: status.st_uid, group: status.st_gid, mode: 0o600 | writing | writing << 1)
    }
}

extension FolderEntry {
    /// The file that is locked while this one is changed.
    var lock: FolderEntry { sibling(".\(name).lock") }

    /// Reads the file; nil where there is none.
    ///
    /// - Throws: ``SystemError``, with `ELOOP` for a link.
    package func read() throws(SystemError) -> (bytes: [UInt8], version: FileVersion)? {
        let file: OpenFile
        do throws(SystemError) {
            // A named pipe would have `open` wait for its other end.
            file = try open(O_RDONLY | O_NONBLOCK)
        } catch {
            if error.code == ENOENT { return nil }
            throw error
        }
        let status = try file.status()
        switch status.st_mode & S_IFMT {
        case S_IFREG: return (try file.readToEnd(expecting: Int(clamping: status.st_size)), FileVersion(status))
        case S_IFDIR: throw SystemError(operation: "read", path: path, code: EISDIR)
        default: throw SystemError(operation: "read as a file", path: path, code: EINVAL)
        }
    }
}

extension [UInt8]? {
    /// Whether two files have the same bytes. Unlike `==`, which compares elements, this calls `memcmp`.
    package func hasSameBytes(as other: [UInt8]?) -> Bool {
        guard let bytes = self, let other else { return self == nil && other == nil }
        return bytes.count == other.count && (bytes.isEmpty || memcmp(bytes, other, bytes.count) == 0)
    }
}
