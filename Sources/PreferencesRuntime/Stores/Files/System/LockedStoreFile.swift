import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A store's file that nobody else changes for as long as this exists.
package final class LockedStoreFile: Sendable {
    private let place: FilePath
    private let lock: FileLock
    private let spare: SpareFile?
    private let hasNewContents = Atomic(false)

    /// Whether it was replaced by others.
    var wasReplaced: Bool { hasNewContents.load(ordering: .relaxed) }

    init(place: FilePath, lock: consuming FileLock, spare: SpareFile?) {
        self.place = place
        self.lock = lock
        self.spare = spare
    }

    /// Replaces the file's contents. Where it throws, the old are still there.
    ///
    /// - Parameters:
    ///   - suffix: What the name ends in that the old contents are kept under; nil, the default, to have them gone.
    ///   - isOutdated: Whether the new contents were made of another version than the one that is there now, when they
    ///     are about to take its place; by default not.
    /// - Returns: Where the old contents are; and why the new ones, which are in place, may not survive a power failure.
    ///   Nil where they are outdated: then the file is as it was.
    func replace(
        with bytes: [UInt8],
        settingAsideAs suffix: String? = nil,
        synchronizeFolder: (borrowing OpenFile) throws(SystemError) -> Void = { folder throws(SystemError) in
            try folder.synchronizeFolder()
        },
        unless isOutdated: (_ now: FileVersion?) -> Bool = { _ in false }
    ) throws(SystemError) -> Replacement? {
        // What is written must be read again.
        guard bytes.count <= OpenFile.maximumSize else {
            throw SystemError(operation: "write", path: place.path, code: EFBIG)
        }
        try checkPermission()
        // Before anything is changed: a folder that cannot be opened cannot be synced.
        let folder = try OpenFile(place.folder, O_RDONLY | O_DIRECTORY)
        let file = try fileToWrite()
        let old = try? FileIdentity.current(place.path)
        var asidePath: String?
        var isOldKept = false
        do throws(SystemError) {
            try file.write(bytes)
            try file.cutOff(after: bytes.count)
            try takeOverPermissions(file)
            try file.synchronize()
            file.endLease()
            if isOutdated(try FileStatus.current(place.path).map { FileVersion($0) }) {
                unlink(file.path)
                return nil
            }
            asidePath = try suffix.map { suffix throws(SystemError) in try setAside(as: suffix) }
            isOldKept = try putInPlace(file.path, keepingOld: asidePath == nil)
        } catch {
            unlink(file.path)
            // Where the new contents are in place all the same, it is the last name of the old ones.
            if let asidePath, (try? FileIdentity.current(place.path)) == old { unlink(asidePath) }
            throw asKnown(error, of: file)
        }
        hasNewContents.store(true, ordering: .relaxed)
        let version = (try? file.status()).map { FileVersion($0) }
        // The rename is in the folder, which has to reach the disk too.
        do throws(SystemError) {
            try synchronizeFolder(folder)
        } catch {
            if isOldKept { unlink(file.path) }
            return Replacement(asidePath: asidePath, version: version, syncFailure: error)
        }
        if isOldKept { spare?.keep(file.path, of: place) }
        return Replacement(asidePath: asidePath, version: version)
    }

    /// The file that the next contents are written to: the one whose contents were replaced last, with a lease, or a
    /// new one.
    private func fileToWrite() throws(SystemError) -> OpenFile {
        let temporaryPaths = try place.temporaryPaths()
        var spareFile = spare?.take(toReplace: place)
        // What processes have left that were killed while they wrote: nobody else writes now. On a file system that has
        // only pretended to lock the file, one that loses its temporary file fails, and harms nothing.
        for path in temporaryPaths where path != spareFile?.path { unlink(path) }
        if let file = spareFile.take() { return file }
        let file = try makeTemporaryFile()
        do throws(SystemError) {
            // First: the attributes say what the file's group may do.
            try takeOverPermissions(file)
            try takeOverExtendedAttributes(file)
        } catch {
            unlink(file.path)
            throw asKnown(error, of: file)
        }
        return file
    }

    /// What went wrong, as of the file that people know: the other's name is another each time.
    private func asKnown(_ error: SystemError, of file: borrowing OpenFile) -> SystemError {
        error.path == file.path
            ? SystemError(operation: error.operation, path: place.path, code: error.code) : error
    }

    private func makeTemporaryFile() throws(SystemError) -> OpenFile {
        do throws(SystemError) {
            return try OpenFile(place.makeTemporaryPath(), O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
        } catch {
            throw SystemError(operation: "create a file beside", path: place.path, code: error.code)
        }
    }

    /// Has the new contents take the old ones' place.
    ///
    /// - Parameter keepingOld: Whether the old ones are not to be gone, if that is possible.
    /// - Returns: Whether they are at the other path then.
    private func putInPlace(_ path: String, keepingOld: Bool) throws(SystemError) -> Bool {
        #if !canImport(Darwin)
            if keepingOld, spare != nil, SpareFile.isPossible(in: place.folder),
                LinuxCalls.shared.exchange(path, place.path)
            {
                var status = stat()
                if lstat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG { return true }
                // Somebody has put something else there just now, which gets its place back. (Where files cannot change
                // places, nobody sees it.)
                guard LinuxCalls.shared.exchange(path, place.path) else { return false }
                let code = status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EEXIST
                throw SystemError(operation: "replace", path: place.path, code: code)
            }
        #endif
        try SystemError.check("replace", place.path) { rename(path, place.path) }
        return false
    }

    /// Who has made a file read-only wants it to stay, and the system asks for the folder's permission alone.
    private func checkPermission() throws(SystemError) {
        do throws(SystemError) {
            try SystemError.check("write", place.path) { faccessat(AT_FDCWD, place.path, W_OK, AT_EACCESS) }
        } catch {
            if error.code != ENOENT { throw error }
        }
    }

    /// Returns when what is in the file, and that it is there, is on the disk.
    func synchronize() throws(SystemError) {
        try OpenFile(place.path, O_RDONLY | O_NONBLOCK).synchronize()
        try OpenFile(place.folder, O_RDONLY | O_DIRECTORY).synchronizeFolder()
    }

    struct Replacement {
        var asidePath: String?
        var version: FileVersion?
        var syncFailure: SystemError?
    }

    /// Gives a file the owner and the permissions of the one that it replaces. Once more when it has its contents: the
    /// system takes some permissions away when a file is written.
    private func takeOverPermissions(_ file: borrowing OpenFile) throws(SystemError) {
        if let status = try FileStatus.current(place.path) { try file.takeOverPermissions(of: status) }
    }

    /// Gives a file the extended attributes of the one that it replaces.
    private func takeOverExtendedAttributes(_ file: borrowing OpenFile) throws(SystemError) {
        let old: OpenFile
        do throws(SystemError) {
            old = try OpenFile(place.path, O_RDONLY | O_NONBLOCK)
        } catch {
            if error.code == ENOENT { return }
            throw error
        }
        try file.takeOverExtendedAttributes(of: old)
    }

    // MARK: - Setting aside

    /// Has the file under a second name, too.
    private func setAside(as suffix: String) throws(SystemError) -> String {
        var number = 1
        while true {
            let path = place.path + suffix + (number == 1 ? "" : "-\(number)")
            do throws(SystemError) {
                try SystemError.check("set aside", place.path) { link(place.path, path) }
                return path
            } catch {
                switch error.code {
                case EEXIST: number += 1
                // Not every file system has links, nor has everyone the right to make one.
                case EPERM, EACCES, EMLINK, ENOTSUP, ENOSYS: return try copy(to: path)
                default: throw error
                }
            }
        }
    }

    private func copy(to path: String) throws(SystemError) -> String {
        let old = try OpenFile(place.path, O_RDONLY | O_NONBLOCK)
        let bytes = try old.readToEnd(expecting: Int(clamping: old.status().st_size))
        let new = try OpenFile(path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
        do throws(SystemError) {
            try takeOverPermissions(new)
            try takeOverExtendedAttributes(new)
            try new.write(bytes)
            try takeOverPermissions(new)
            try new.synchronize()
            return path
        } catch {
            unlink(path)
            throw error
        }
    }
}
