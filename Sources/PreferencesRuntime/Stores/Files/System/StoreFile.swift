#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The file of a store: read whole, and replaced whole, so that it is never seen half written.
package struct StoreFile: Sendable {
    /// As the user gave it; it may be a link.
    package let path: String

    package init(path: String) {
        self.path = path
    }

    /// What is in the file, and of which version of it; nil where there is none.
    func read() throws(SystemError) -> (bytes: [UInt8], version: FileVersion)? {
        do throws(SystemError) {
            // A named pipe would have `open` wait for its other end.
            let file = try OpenFile(path, O_RDONLY | O_NONBLOCK)
            let status = try file.status()
            switch status.st_mode & S_IFMT {
            case S_IFREG: return (try file.readToEnd(expecting: Int(clamping: status.st_size)), FileVersion(status))
            case S_IFDIR: throw SystemError(operation: "read", path: path, code: EISDIR)
            default: throw SystemError(operation: "read as a file", path: path, code: EINVAL)
            }
        } catch {
            if error.code == ENOENT || error.code == ENOTDIR { return nil }
            throw error
        }
    }

    /// Whether there is nothing where links lead.
    func isMissing() throws(SystemError) -> Bool {
        try FileIdentity.current(path) == nil
    }

    /// How long ago it was changed, in seconds; negative where the clock was put back since.
    func age() throws(SystemError) -> Double {
        let time = FileTime(of: try OpenFile(path, O_RDONLY | O_NONBLOCK).status())
        return FileTime.now().map(time.seconds) ?? .infinity
    }

    /// Waits until no other process, nor another store in this one, changes the file. Its folder is made if it is
    /// missing.
    ///
    /// - Parameter wait: How long to wait.
    /// - Throws: ``SystemError``, whose ``SystemError/isLockTimeout`` is true where the file was not free in time.
    package func lock(_ wait: FileLockWait) throws(SystemError) -> LockedStoreFile {
        try lock(spare: nil, wait: wait)
    }

    /// - Parameters:
    ///   - spare: Where a file may be kept between one change and the next.
    ///   - wait: How long to wait.
    func lock(spare: SpareFile?, wait: FileLockWait) throws(SystemError) -> LockedStoreFile {
        // Links stay: it is the file that they lead to that is replaced. Two links to one file share its lock.
        let place = try FilePath(path).followingLinks()
        try place.makeFolder()
        return LockedStoreFile(
            place: place,
            lock: try FileLock(place.lockPath, for: Self.users(of: place), wait: wait),
            spare: spare
        )
    }

    /// Whether the calling thread would wait for itself in ``lock()``.
    package func isLockedByThisThread() throws(SystemError) -> Bool {
        guard FileLock.isAnyHeldByThisThread else { return false }
        return try FileLock.isHeldByThisThread(FilePath(path).followingLinks().lockPath)
    }

    /// Those who may write the file are to be able to lock it, and nobody else is to keep them from it.
    private static func users(of place: FilePath) -> FileLock.Users? {
        var status = stat()
        guard stat(place.path, &status) == 0 else { return nil }
        let writing = status.st_mode & 0o222
        return FileLock.Users(owner: status.st_uid, group: status.st_gid, mode: 0o600 | writing | writing << 1)
    }
}

extension [UInt8]? {
    /// Whether two files have the same bytes. Unlike `==`, which compares elements, this calls `memcmp`.
    func hasSameBytes(as other: [UInt8]?) -> Bool {
        guard let bytes = self, let other else { return self == nil && other == nil }
        return bytes.count == other.count && (bytes.isEmpty || memcmp(bytes, other, bytes.count) == 0)
    }
}
