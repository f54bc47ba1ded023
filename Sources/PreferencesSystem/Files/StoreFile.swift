/// The file of a store. It is read and replaced as a whole, so that no reader sees a part of a write.
package struct StoreFile: Sendable {
    /// The path that the user gave, which may be that of a link.
    package let path: String

    package init(path: String) {
        self.path = path
    }

    /// Reads the file; nil if there is none.
    package func read() throws(SystemError) -> (bytes: [UInt8], version: FileVersion)? {
        for _ in 0..<FilePath.maximumLinkCount {
            do throws(SystemError) {
                return try entry()?.read()
            } catch {
                // A link has replaced the file that was found.
                if error.code != ELOOP || error.operation != .open { throw error }
            }
        }
        throw SystemError(operation: .resolvePath, path: path, code: ELOOP)
    }

    /// Returns the file that links lead to; nil if its folder is missing.
    private func entry() throws(SystemError) -> FolderEntry? {
        do throws(SystemError) {
            return try FolderEntry(following: path)
        } catch {
            if error.code == ENOENT || error.code == ENOTDIR { return nil }
            throw error
        }
    }

    /// Whether there is no file where links lead.
    package func isMissing() throws(SystemError) -> Bool {
        try entry()?.status() == nil
    }

    /// Returns the seconds since the file was changed; negative if the clock was set back since.
    package func age() throws(SystemError) -> Double {
        guard let status = try entry()?.status() else {
            throw SystemError(operation: .inspect, path: path, code: ENOENT)
        }
        return FileTime.now().map(FileTime(of: status).seconds) ?? .infinity
    }

    /// Waits for the exclusive right to change the file, among the stores of all processes. Creates its folder if
    /// necessary.
    ///
    /// - Parameters:
    ///   - wait: How long to wait.
    ///   - recycled: The holder of the temporary file that is reused; nil, the default, to create one for each write.
    ///   - isPrivate: Whether only the file's owner gets access to new contents and the lock.
    /// - Throws: ``SystemError``, whose ``SystemError/isLockTimeout`` is true if the file was not free in time.
    package func lock(
        _ wait: FileLockWait,
        recycling recycled: RecycledTemporaryFile? = nil,
        isPrivate: Bool = false
    ) throws(SystemError) -> LockedStoreFile {
        // Links are kept: the file that they lead to is replaced. Two links to one file share its lock.
        let entry = try FolderEntry(following: path, makingFolders: true)
        return LockedStoreFile(
            entry: entry,
            lock: try FileLock(entry.lock, for: Self.users(of: entry, isPrivate: isPrivate), wait: wait),
            recycled: recycled,
            isPrivate: isPrivate
        )
    }

    /// Whether the calling thread holds the lock, and would wait for itself.
    package func isLockedByThisThread() throws(SystemError) -> Bool {
        guard FileLock.isAnyHeldByThisThread else { return false }
        return try entry().map { entry throws(SystemError) in try FileLock.isHeldByThisThread(entry.lock) } ?? false
    }

    /// Returns the users that may write the file. Only they can lock it, so that no other user can block them.
    private static func users(of entry: FolderEntry, isPrivate: Bool) throws(SystemError) -> FileLock.Users? {
        guard let status = try entry.status() else { return nil }
        let writing = isPrivate ? 0 : status.st_mode & 0o222
        return FileLock.Users(owner: status.st_uid, group: status.st_gid, mode: 0o600 | writing | writing << 1)
    }
}

extension FolderEntry {
    /// The lock file of this file.
    package var lock: FolderEntry { sibling(".\(name).lock") }

    /// Reads the file; nil if there is none.
    ///
    /// - Throws: ``SystemError``, with `ELOOP` for a link.
    package func read() throws(SystemError) -> (bytes: [UInt8], version: FileVersion)? {
        let file: OpenFile
        do throws(SystemError) {
            // Without O_NONBLOCK, `open` would wait for the other end of a named pipe.
            file = try open(O_RDONLY | O_NONBLOCK)
        } catch {
            if error.code == ENOENT { return nil }
            throw error
        }
        let status = try file.status()
        switch status.st_mode & S_IFMT {
        case S_IFREG: return (try file.readToEnd(expecting: Int(clamping: status.st_size)), FileVersion(status))
        case S_IFDIR: throw SystemError(operation: .read, path: path, code: EISDIR)
        default: throw SystemError(operation: .readAsFile, path: path, code: EINVAL)
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
