import Synchronization

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

    /// What is in the file; nil where there is none.
    func read() throws(SystemError) -> [UInt8]? {
        do throws(SystemError) {
            // A named pipe would have `open` wait for its other end.
            let file = try OpenFile(path, O_RDONLY | O_NONBLOCK)
            let status = try file.status()
            switch status.st_mode & S_IFMT {
            case S_IFREG: return try file.readToEnd(expecting: Int(status.st_size))
            case S_IFDIR: throw SystemError(operation: "read", path: path, code: EISDIR)
            default: throw SystemError(operation: "read as a file", path: path, code: EINVAL)
            }
        } catch {
            if error.code == ENOENT || error.code == ENOTDIR { return nil }
            throw error
        }
    }

    /// Waits until no other process, nor another store in this one, changes the file. Its folder is made if it is
    /// missing.
    package func lock() throws(SystemError) -> LockedStoreFile {
        // Links stay: it is the file that they lead to that is replaced. Two links to one file share its lock.
        let place = try FilePath(path).followingLinks()
        try place.makeFolder()
        return LockedStoreFile(place: place, lock: try FileLock(place.lockPath, mode: Self.lockMode(for: place)))
    }

    /// Whether the calling thread would wait for itself in ``lock()``.
    package func isLockedByThisThread() throws(SystemError) -> Bool {
        guard FileLock.isAnyHeldByThisThread else { return false }
        return try FileLock.isHeldByThisThread(FilePath(path).followingLinks().lockPath)
    }

    /// Of the lock, for those who may write the file: nobody else is to keep them from it.
    private static func lockMode(for place: FilePath) -> mode_t {
        var status = stat()
        guard stat(place.path, &status) == 0 else { return 0o600 }
        let writing = status.st_mode & 0o222
        return 0o600 | writing | writing << 1
    }
}

/// A store's file that nobody else changes for as long as this exists.
package final class LockedStoreFile: Sendable {
    private let place: FilePath
    private let lock: FileLock
    private let hasNewContents = Atomic(false)

    /// Whether it was replaced by others.
    var wasReplaced: Bool { hasNewContents.load(ordering: .relaxed) }

    fileprivate init(place: FilePath, lock: consuming FileLock) {
        self.place = place
        self.lock = lock
    }

    /// Replaces the file's contents. Where it throws, the old are still there.
    ///
    /// - Returns: Nil where the new contents are on the disk; else why they are in place, but may not survive a power
    ///   failure.
    func replace(
        with bytes: [UInt8],
        synchronizeFolder: (borrowing OpenFile) throws(SystemError) -> Void = { folder throws(SystemError) in
            try folder.synchronizeFolder()
        }
    ) throws(SystemError) -> SystemError? {
        // What is written must be read again.
        guard bytes.count <= OpenFile.maximumSize else {
            throw SystemError(operation: "write", path: place.path, code: EFBIG)
        }
        // Before anything is changed: a folder that cannot be opened cannot be synced.
        let folder = try OpenFile(place.folder, O_RDONLY | O_DIRECTORY)
        let temporaryPath = place.makeTemporaryPath()
        let file = try OpenFile(temporaryPath, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
        do throws(SystemError) {
            try file.write(bytes)
            try takeOverAttributes(file)
            try file.synchronize()
            try SystemError.check("replace", place.path) { rename(temporaryPath, place.path) }
        } catch {
            unlink(temporaryPath)
            throw error
        }
        hasNewContents.store(true, ordering: .relaxed)
        // The rename is in the folder, which has to reach the disk too.
        do throws(SystemError) {
            try synchronizeFolder(folder)
            return nil
        } catch {
            return error
        }
    }

    /// Gives the new file the owner and the permissions of the one that it replaces.
    private func takeOverAttributes(_ file: borrowing OpenFile) throws(SystemError) {
        var old = stat()
        guard stat(place.path, &old) == 0 else { return }
        let new = try file.status()
        if old.st_uid != new.st_uid || old.st_gid != new.st_gid {
            file.tryToSetOwner(old.st_uid, group: old.st_gid)
        }
        // After the owner: changing that takes some permissions away.
        try file.setMode(old.st_mode)
    }
}
