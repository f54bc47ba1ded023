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
    let entry: FolderEntry
    private let lock: FileLock
    let spare: SpareFile?
    /// Whether only the file's owner is to have access to new contents, whatever the permissions of the old file are.
    private let isPrivate: Bool
    private let hasNewContents = Atomic(false)

    /// Whether its contents were replaced.
    package var wasReplaced: Bool { hasNewContents.load(ordering: .relaxed) }

    init(entry: FolderEntry, lock: consuming FileLock, spare: SpareFile?, isPrivate: Bool) {
        self.entry = entry
        self.lock = lock
        self.spare = spare
        self.isPrivate = isPrivate
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
    package func replace(
        with bytes: [UInt8],
        settingAsideAs suffix: String? = nil,
        synchronizeFolder: (borrowing OpenFile) throws(SystemError) -> Void = { folder throws(SystemError) in
            try folder.synchronizeFolder()
        },
        madeOf read: ReadContents? = nil,
        keepingConflictsAs conflictSuffix: String? = nil,
        exchange: (FolderEntry, FolderEntry) -> FolderEntry.FileExchange = { $0.exchange(with: $1) }
    ) throws(SystemError) -> Replacement? {
        // What is written must be read again.
        guard bytes.count <= OpenFile.maximumSize else {
            throw SystemError(operation: "write", path: entry.path, code: EFBIG)
        }
        try checkPermission()
        // Before anything is changed: a folder that cannot be opened cannot be synced.
        let folder = try entry.folder.openToRead()
        let temporary = try fileToWrite(madeOf: read)
        let old = try? entry.identity()
        var aside: FolderEntry?
        let placement: Placement
        do throws(SystemError) {
            try temporary.file.write(bytes)
            try temporary.file.cutOff(after: bytes.count)
            try takeOverPermissions(temporary.file, madeOf: read)
            try temporary.file.synchronize()
            temporary.file.endLease()
            aside = try suffix.map { suffix throws(SystemError) in try setAside(as: suffix) }
            placement = try putInPlace(
                temporary.entry,
                bytes,
                madeOf: read,
                aside,
                keepingConflictsAs: conflictSuffix,
                exchange
            )
        } catch {
            temporary.entry.remove()
            // Where the new contents are in place all the same, it is the last name of the old ones.
            if let aside, (try? entry.identity()) == old { aside.remove() }
            throw asKnown(error, of: temporary.entry)
        }
        var replacement = Replacement(asidePath: aside?.path)
        var replaced: ReplacedFile?
        switch placement {
        case .outdated:
            aside?.remove()
            return nil
        case .inPlace(let conflict): replacement.conflictPath = conflict?.path
        case .exchanged(let file): replaced = file
        }
        replacement.version = (try? temporary.file.status()).map { FileVersion($0) }
        // The rename is in the folder, which has to reach the disk too.
        do throws(SystemError) {
            try synchronizeFolder(folder)
        } catch {
            replacement.syncFailure = error
        }
        if let replaced {
            // A program that had the file open may have written to it meanwhile.
            let mayHaveChanged = !replaced.isSetAside && (!replaced.isFinal || replaced.hasConflict)
            let comparison = mayHaveChanged ? read.map { replaced.entry.compare(with: $0) } ?? .same : .same
            if comparison != .same {
                switch resolveConflict(replaced.entry, comparison, bytes, keepingAs: conflictSuffix) {
                case .kept(let conflict): replacement.conflictPath = conflict.path
                case .givenBack(let error):
                    aside?.remove()
                    if let error { throw error }
                    return nil
                // The new contents are in place, and the disk does not let them be taken back.
                case .failed(let error): replacement.syncFailure = replacement.syncFailure ?? error
                }
            } else if aside == nil, replacement.syncFailure == nil, let spare, replaced.mayBeSpare {
                spare.keep(replaced.entry, of: entry)
            } else {
                replaced.entry.remove()
            }
        }
        hasNewContents.store(true, ordering: .relaxed)
        return replacement
    }

    /// The file that the next contents are written to: the one whose contents were replaced last, with a lease, or a
    /// new one.
    private func fileToWrite(madeOf read: ReadContents?) throws(SystemError) -> TemporaryFile {
        try entry.removeTemporaryFiles(except: spare?.name)
        let mayTakeSpare = { [isPrivate] (replaced: stat) in
            let isSource = read.map { $0.source?.isOf(replaced) == true } ?? true
            return isSource && (!isPrivate || replaced.st_mode & 0o077 == 0)
        }
        if let file = spare?.take(toReplace: entry, if: mayTakeSpare) { return file }
        let temporary = try makeTemporaryFile()
        do throws(SystemError) {
            // First: the attributes say what the file's group may do.
            try takeOverPermissions(temporary.file, madeOf: read)
            try takeOverExtendedAttributes(temporary.file, madeOf: read)
            // Among the attributes may be the access of other users.
            if isPrivate { try takeOverPermissions(temporary.file, madeOf: read) }
        } catch {
            temporary.entry.remove()
            throw asKnown(error, of: temporary.entry)
        }
        return temporary
    }

    /// Returns the error as one of the file that users know: the name of a temporary one is another each time.
    private func asKnown(_ error: SystemError, of temporary: FolderEntry) -> SystemError {
        error.path == temporary.path
            ? SystemError(operation: error.operation, path: entry.path, code: error.code) : error
    }

    private func makeTemporaryFile() throws(SystemError) -> TemporaryFile {
        let temporary = entry.makeTemporary()
        do throws(SystemError) {
            return TemporaryFile(entry: temporary, file: try temporary.open(O_WRONLY | O_CREAT | O_EXCL))
        } catch {
            throw SystemError(operation: "create a file beside", path: entry.path, code: error.code)
        }
    }

    /// Who has made a file read-only wants it to stay, and the system asks for the folder's permission alone.
    private func checkPermission() throws(SystemError) {
        do throws(SystemError) {
            try entry.checkWritable()
        } catch {
            if error.code != ENOENT { throw error }
        }
    }

    /// Returns when what is in the file, and that it is there, is on the disk.
    package func synchronize() throws(SystemError) {
        try entry.open(O_RDONLY | O_NONBLOCK).synchronize()
        try entry.folder.openToRead().synchronizeFolder()
    }

    package struct Replacement {
        /// Where the old contents are that were set aside.
        package var asidePath: String?
        /// Where contents are that another program has saved while these were written.
        package var conflictPath: String?
        package var version: FileVersion?
        package var syncFailure: SystemError?
    }

    /// Gives a file the owner and the permissions of the one that it replaces, as far as its values may have them. Called
    /// once more when it has its contents: the system takes some permissions away when a file is written.
    ///
    /// - Parameter read: The contents that the new ones are made of; nil for any. If their values come from no file, the new
    ///   file belongs to the process's user alone.
    private func takeOverPermissions(
        _ file: borrowing OpenFile,
        madeOf read: ReadContents?
    ) throws(SystemError) {
        guard var status = try entry.status(), status.st_mode & S_IFMT == S_IFREG else { return }
        if let read {
            guard let source = read.source else { return }
            status = source.statusOfSuccessor(replacing: status)
        }
        if isPrivate { status.st_mode &= ~0o077 }
        try file.takeOverPermissions(of: status)
    }

    /// Gives a file the extended attributes of the one that it replaces, if that is the one that its values come from:
    /// among them are access control lists.
    private func takeOverExtendedAttributes(
        _ file: borrowing OpenFile,
        madeOf read: ReadContents?
    ) throws(SystemError) {
        let old: OpenFile
        do throws(SystemError) {
            old = try entry.open(O_RDONLY | O_NONBLOCK)
        } catch {
            if error.code == ENOENT || error.code == ELOOP { return }
            throw error
        }
        if let read, try read.source?.isOf(old.status()) != true { return }
        try file.takeOverExtendedAttributes(of: old)
    }

    // MARK: - Setting aside

    /// The end of the name of a file that is set aside: `.corrupt-20261121T190748Z`, in UTC.
    package static func suffix(_ reason: String) -> String {
        ".\(reason)-\(Date.now.ISO8601Format().filter { !"-:".contains($0) })"
    }

    /// Gives the file a second name.
    private func setAside(as suffix: String) throws(SystemError) -> FolderEntry {
        try keep(entry, as: suffix, removesOld: false)
    }

    /// Gives a file another name, which begins with that of the store's file.
    func keep(_ old: FolderEntry, as suffix: String, removesOld: Bool = true) throws(SystemError) -> FolderEntry {
        var number = 1
        while true {
            let new = entry.sibling(entry.name + suffix + (number == 1 ? "" : "-\(number)"))
            do throws(SystemError) {
                try old.link(as: new)
                if removesOld { old.remove() }
                return new
            } catch {
                switch error.code {
                case EEXIST: number += 1
                // Not every file system has links, nor has everyone the right to make one.
                case EPERM, EACCES, EMLINK, ENOTSUP, ENOSYS:
                    if removesOld {
                        try old.move(to: new, "set aside")
                    } else {
                        try copy(to: new)
                    }
                    return new
                default: throw SystemError(operation: error.operation, path: entry.path, code: error.code)
                }
            }
        }
    }

    private func copy(to copy: FolderEntry) throws(SystemError) {
        // All of one descriptor: another user may put another file in its place meanwhile.
        let old = try entry.open(O_RDONLY | O_NONBLOCK)
        var status = try old.status()
        if isPrivate { status.st_mode &= ~0o077 }
        let bytes = try old.readToEnd(expecting: Int(clamping: status.st_size))
        let new = try copy.open(O_WRONLY | O_CREAT | O_EXCL)
        do throws(SystemError) {
            try new.takeOverPermissions(of: status)
            try new.takeOverExtendedAttributes(of: old)
            if isPrivate { try new.takeOverPermissions(of: status) }
            try new.write(bytes)
            try new.takeOverPermissions(of: status)
            try new.synchronize()
        } catch {
            copy.remove()
            throw error
        }
    }
}

/// A file that is written before it replaces another.
struct TemporaryFile: ~Copyable {
    let entry: FolderEntry
    let file: OpenFile
}
