import Foundation
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A store's file that no other store changes for as long as this exists.
package final class LockedStoreFile: Sendable {
    let place: FilePath
    private let lock: FileLock
    let spare: SpareFile?
    private let hasNewContents = Atomic(false)

    /// Whether its contents were replaced.
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
    ///   - read: The contents that the new ones were made of; nil, the default, to replace any. Programs that know of no
    ///     lock, such as editors, may have saved others since.
    ///   - conflictSuffix: What the name ends in that contents are kept under which another program has saved since they
    ///     were read; nil, the default, to replace nothing then.
    /// - Returns: Where the old contents are; and why the new ones, which are in place, may not survive a power failure.
    ///   Nil where another program has saved since: then the file is as that program has left it.
    func replace(
        with bytes: [UInt8],
        settingAsideAs suffix: String? = nil,
        synchronizeFolder: (borrowing OpenFile) throws(SystemError) -> Void = { folder throws(SystemError) in
            try folder.synchronizeFolder()
        },
        madeOf read: ReadContents? = nil,
        keepingConflictsAs conflictSuffix: String? = nil,
        exchange: (String, String) -> FileExchange.Exchange = FileExchange.exchange
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
        let placement: Placement
        do throws(SystemError) {
            try file.write(bytes)
            try file.cutOff(after: bytes.count)
            try takeOverPermissions(file)
            try file.synchronize()
            file.endLease()
            asidePath = try suffix.map { suffix throws(SystemError) in try setAside(as: suffix) }
            placement = try putInPlace(
                file,
                bytes,
                madeOf: read,
                asidePath,
                keepingConflictsAs: conflictSuffix,
                exchange
            )
        } catch {
            unlink(file.path)
            // Where the new contents are in place all the same, it is the last name of the old ones.
            if let asidePath, (try? FileIdentity.current(place.path)) == old { unlink(asidePath) }
            throw asKnown(error, of: file)
        }
        var replacement = Replacement(asidePath: asidePath)
        var replaced: ReplacedFile?
        switch placement {
        case .outdated:
            if let asidePath { unlink(asidePath) }
            return nil
        case .inPlace(let conflictPath): replacement.conflictPath = conflictPath
        case .exchanged(let file): replaced = file
        }
        replacement.version = (try? file.status()).map { FileVersion($0) }
        // The rename is in the folder, which has to reach the disk too.
        do throws(SystemError) {
            try synchronizeFolder(folder)
        } catch {
            replacement.syncFailure = error
        }
        if let replaced {
            // A program that had the file open may have written to it meanwhile.
            let mayHaveChanged = !replaced.isSetAside && (!replaced.isFinal || replaced.hasConflict)
            let comparison = mayHaveChanged ? read.map { compare(replaced.path, with: $0) } ?? .same : .same
            if comparison != .same {
                switch resolveConflict(replaced.path, comparison, bytes, keepingAs: conflictSuffix) {
                case .kept(let path): replacement.conflictPath = path
                case .givenBack(let error):
                    if let asidePath { unlink(asidePath) }
                    if let error { throw error }
                    return nil
                // The new contents are in place, and the disk does not let them be taken back.
                case .failed(let error): replacement.syncFailure = replacement.syncFailure ?? error
                }
            } else if asidePath == nil, replacement.syncFailure == nil, let spare, replaced.mayBeSpare {
                spare.keep(replaced.path, of: place)
            } else {
                unlink(replaced.path)
            }
        }
        hasNewContents.store(true, ordering: .relaxed)
        return replacement
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
        /// Where the old contents are that were set aside.
        var asidePath: String?
        /// Where contents are that another program has saved while these were written.
        var conflictPath: String?
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

    /// The end of the name of a file that is set aside: `.corrupt-20261121T190748Z`, in UTC.
    static func suffix(_ reason: String) -> String {
        ".\(reason)-\(Date.now.ISO8601Format().filter { !"-:".contains($0) })"
    }

    /// Gives the file a second name.
    private func setAside(as suffix: String) throws(SystemError) -> String {
        try keep(place.path, as: suffix, removesOld: false)
    }

    /// Gives a file another name, which begins with that of the store's file.
    func keep(_ old: String, as suffix: String, removesOld: Bool = true) throws(SystemError) -> String {
        var number = 1
        while true {
            let path = place.path + suffix + (number == 1 ? "" : "-\(number)")
            do throws(SystemError) {
                try SystemError.check("set aside", place.path) { link(old, path) }
                if removesOld { unlink(old) }
                return path
            } catch {
                switch error.code {
                case EEXIST: number += 1
                // Not every file system has links, nor has everyone the right to make one.
                case EPERM, EACCES, EMLINK, ENOTSUP, ENOSYS:
                    if removesOld {
                        try SystemError.check("set aside", place.path) { rename(old, path) }
                        return path
                    }
                    return try copy(to: path)
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
