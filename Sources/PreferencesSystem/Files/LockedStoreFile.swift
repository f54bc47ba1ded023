import Foundation
import Synchronization

/// A store's file, which no other store changes as long as the object exists.
package final class LockedStoreFile: Sendable {
    let entry: FolderEntry
    private let lock: FileLock
    let recycled: RecycledTemporaryFile?
    /// Whether only the file's owner gets access to new contents, whatever the permissions of the old file are.
    private let isPrivate: Bool
    private let hasNewContents = Atomic(false)

    /// Whether the contents were replaced.
    package var wasReplaced: Bool { hasNewContents.load(ordering: .relaxed) }

    init(entry: FolderEntry, lock: consuming FileLock, recycled: RecycledTemporaryFile?, isPrivate: Bool) {
        self.entry = entry
        self.lock = lock
        self.recycled = recycled
        self.isPrivate = isPrivate
    }

    /// Replaces the file's contents. If this throws, the old contents are still in place.
    ///
    /// - Parameters:
    ///   - bytes: The new contents, at most 1 GiB.
    ///   - suffix: The suffix of the name under which the old contents are set aside; nil, the default, to remove them.
    ///   - synchronizeFolder: Syncs the folder; replaced in tests.
    ///   - read: The contents that the new ones are based on; nil, the default, to replace any. Programs that do not
    ///     use the lock, such as editors, may have saved other contents since.
    ///   - conflictSuffix: The suffix of the name under which contents are kept that another program has saved since;
    ///     nil, the default, to replace nothing in that case.
    ///   - exchange: Exchanges two files; replaced in tests.
    /// - Returns: The names of the old contents, and why the new ones may not survive a power failure. Nil if another
    ///   program has saved since: the file is then as that program has left it.
    package func replace(
        with bytes: [UInt8],
        settingAsideAs suffix: String? = nil,
        synchronizeFolder: (borrowing OpenFile) throws(SystemError) -> Void = { folder throws(SystemError) in
            try folder.synchronizeFolder()
        },
        basedOn read: ReadContents? = nil,
        keepingConflictsAs conflictSuffix: String? = nil,
        exchange: (FolderEntry, FolderEntry) -> FolderEntry.FileExchange = { $0.exchange(with: $1) }
    ) throws(SystemError) -> Replacement? {
        // Larger files cannot be read.
        guard bytes.count <= OpenFile.maximumSize else {
            throw SystemError(operation: .write, path: entry.path, code: EFBIG)
        }
        try checkPermission()
        // Before any change: a folder that cannot be opened cannot be synced.
        let folder = try entry.folder.openToRead()
        let temporary = try fileToWrite(basedOn: read)
        let old = try? entry.identity()
        var aside: FolderEntry?
        let placement: Placement
        do throws(SystemError) {
            try temporary.file.writeAll(bytes)
            try temporary.file.truncate(to: bytes.count)
            try setPermissions(of: temporary.file, basedOn: read)
            try temporary.file.synchronize()
            temporary.file.endLease()
            aside = try suffix.map { suffix throws(SystemError) in try setAside(as: suffix) }
            placement = try install(
                temporary.entry,
                bytes,
                basedOn: read,
                aside,
                keepingConflictsAs: conflictSuffix,
                exchange
            )
        } catch {
            temporary.entry.remove()
            // If the new contents are in place nevertheless, it is the only name of the old ones.
            if let aside, (try? entry.identity()) == old { aside.remove() }
            throw withStorePath(error, of: temporary.entry)
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
        // The rename is stored in the folder.
        do throws(SystemError) {
            try synchronizeFolder(folder)
        } catch {
            replacement.syncFailure = error
        }
        if let replaced {
            // A process that had the file open may have written to it meanwhile.
            let mayHaveChanged = !replaced.isSetAside && (!replaced.hasNoWriters || replaced.hasConflict)
            let comparison = mayHaveChanged ? read.map { replaced.entry.compare(with: $0) } ?? .same : .same
            if comparison != .same {
                switch resolveConflict(replaced.entry, comparison, bytes, keepingAs: conflictSuffix) {
                case .kept(let conflict): replacement.conflictPath = conflict.path
                case .restored(let error):
                    aside?.remove()
                    if let error { throw error }
                    return nil
                // The new contents are in place, and cannot be removed again.
                case .failed(let error): replacement.syncFailure = replacement.syncFailure ?? error
                }
            } else if aside == nil, replacement.syncFailure == nil, let recycled, replaced.isRecyclable {
                recycled.keep(replaced.entry, of: entry)
            } else {
                replaced.entry.remove()
            }
        }
        hasNewContents.store(true, ordering: .relaxed)
        return replacement
    }

    /// Returns the file to write the new contents to: the recycled file, with a lease, or a new one.
    private func fileToWrite(basedOn read: ReadContents?) throws(SystemError) -> TemporaryFile {
        try entry.removeTemporaryFiles(except: recycled?.name)
        let mayRecycle = { [isPrivate] (replaced: stat) in
            let isSource = read.map { $0.source?.isVersion(ofFileWith: replaced) == true } ?? true
            return isSource && (!isPrivate || replaced.st_mode & 0o077 == 0)
        }
        if let file = recycled?.take(toReplace: entry, if: mayRecycle) { return file }
        let temporary = try makeTemporaryFile()
        do throws(SystemError) {
            // First: setting the permissions would change the access control list among the attributes.
            try setPermissions(of: temporary.file, basedOn: read)
            try setExtendedAttributes(of: temporary.file, basedOn: read)
            // The attributes may give other users access.
            if isPrivate { try setPermissions(of: temporary.file, basedOn: read) }
        } catch {
            temporary.entry.remove()
            throw withStorePath(error, of: temporary.entry)
        }
        return temporary
    }

    /// Returns an error of the temporary file, whose name means nothing to users, as one of the store's file.
    private func withStorePath(_ error: SystemError, of temporary: FolderEntry) -> SystemError {
        error.path == temporary.path
            ? SystemError(operation: error.operation, path: entry.path, code: error.code) : error
    }

    private func makeTemporaryFile() throws(SystemError) -> TemporaryFile {
        let temporary = entry.makeTemporary()
        do throws(SystemError) {
            return TemporaryFile(entry: temporary, file: try temporary.open(O_WRONLY | O_CREAT | O_EXCL))
        } catch {
            throw SystemError(operation: .createBeside, path: entry.path, code: error.code)
        }
    }

    /// Throws for a read-only file, which a rename would replace: the system checks the permissions of the folder only.
    private func checkPermission() throws(SystemError) {
        do throws(SystemError) {
            try entry.checkWritable()
        } catch {
            if error.code != ENOENT { throw error }
        }
    }

    /// Waits until the contents and the name of the file are on the disk.
    package func synchronize() throws(SystemError) {
        try entry.open(O_RDONLY | O_NONBLOCK).synchronize()
        try entry.folder.openToRead().synchronizeFolder()
    }

    /// The outcome of replacing the contents.
    package struct Replacement {
        /// The path of the old contents that were set aside; nil if they were not.
        package var asidePath: String?
        /// The path of contents that another program has saved meanwhile; nil if there are none.
        package var conflictPath: String?
        /// The version of the new contents; nil if it is unknown.
        package var version: FileVersion?
        /// The reason why the new contents may not survive a power failure; nil if they do.
        package var syncFailure: SystemError?
    }

    /// Gives a file the owner and the permissions of the file that it replaces, as far as its values may have them.
    /// Repeated after writing, since the system clears some permissions of a file that is written.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - read: The contents that its contents are based on; nil for any. If their values come from no file, the new
    ///     file is private to the process's user.
    private func setPermissions(
        of file: borrowing OpenFile,
        basedOn read: ReadContents?
    ) throws(SystemError) {
        guard var status = try entry.status(), status.st_mode & S_IFMT == S_IFREG else { return }
        if let read {
            guard let source = read.source else { return }
            status = source.statusOfSuccessor(replacing: status)
        }
        if isPrivate { status.st_mode &= ~0o077 }
        try file.copyPermissions(from: status)
    }

    /// Gives a file the extended attributes of the file that it replaces, if its values come from that file: the
    /// attributes include access control lists.
    private func setExtendedAttributes(
        of file: borrowing OpenFile,
        basedOn read: ReadContents?
    ) throws(SystemError) {
        let old: OpenFile
        do throws(SystemError) {
            old = try entry.open(O_RDONLY | O_NONBLOCK)
        } catch {
            if error.code == ENOENT || error.code == ELOOP { return }
            throw error
        }
        if let read, try read.source?.isVersion(ofFileWith: old.status()) != true { return }
        try file.copyExtendedAttributes(from: old)
    }

    // MARK: - Setting aside

    /// Returns a suffix for the name of a file that is set aside: `.corrupt-20261121T190748Z`, in UTC.
    package static func suffix(_ reason: String) -> String {
        ".\(reason)-\(Date.now.ISO8601Format().filter { !"-:".contains($0) })"
    }

    /// Gives the file a second name, which its contents keep when it is replaced.
    private func setAside(as suffix: String) throws(SystemError) -> FolderEntry {
        try keep(entry, as: suffix, removesOld: false)
    }

    /// Gives a file another name, which is that of the store's file with a suffix, and a number if the name is taken.
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
                // Not every file system has links, nor may every user create one.
                case EPERM, EACCES, EMLINK, ENOTSUP, ENOSYS:
                    if removesOld {
                        try old.move(to: new, .setAside)
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
        // From a single descriptor: another user may replace the file meanwhile.
        let old = try entry.open(O_RDONLY | O_NONBLOCK)
        var status = try old.status()
        if isPrivate { status.st_mode &= ~0o077 }
        let bytes = try old.readToEnd(expecting: Int(clamping: status.st_size))
        let new = try copy.open(O_WRONLY | O_CREAT | O_EXCL)
        do throws(SystemError) {
            try new.copyPermissions(from: status)
            try new.copyExtendedAttributes(from: old)
            if isPrivate { try new.copyPermissions(from: status) }
            try new.writeAll(bytes)
            try new.copyPermissions(from: status)
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

/// The contents of a file when it was read.
package struct ReadContents {
    /// The bytes; nil if there was no file.
    var bytes: [UInt8]?
    /// The version of the file; nil to accept any version with these bytes.
    var version: FileVersion?
    /// The version that the values come from, which is not that of a damaged file; nil if they come from no file.
    var source: FileVersion?

    package init(bytes: [UInt8]? = nil, version: FileVersion? = nil, source: FileVersion? = nil) {
        self.bytes = bytes
        self.version = version
        self.source = source
    }
}

// MARK: - Installing new contents

/// Replaces only the contents that the new ones are based on.
///
/// Programs that do not use the lock, such as editors, may save at any moment, in place or by renaming a file of their
/// own. A comparison before the rename leaves a gap. If the file system supports it, the new and the old file are
/// therefore exchanged, and the old one is compared afterwards: if it is not what was read, the two are exchanged
/// again.
extension LockedStoreFile {
    enum Placement {
        /// Another program has saved since the old contents were read. The new file is removed.
        case outdated
        /// The new contents are in place, and the old ones are removed, or kept as a conflict.
        case inPlace(conflict: FolderEntry? = nil)
        /// The new contents are in place, and the old ones have the name of the temporary file.
        case exchanged(ReplacedFile)
    }

    /// A file that was replaced.
    struct ReplacedFile {
        let entry: FolderEntry
        /// Whether no process has the file open for writing.
        var hasNoWriters = false
        /// Whether the contents are not those that were read.
        var hasConflict = false
        /// Whether the file has a second name, so that later writes to it are kept.
        var isSetAside = false
        /// Whether the file may be recycled.
        var isRecyclable = false
    }

    /// Replaces the file by the temporary file with the new contents.
    ///
    /// - Parameters:
    ///   - new: The temporary file.
    ///   - bytes: The new contents.
    ///   - read: The contents that they are based on; nil to replace any.
    ///   - aside: The second name of the old contents, if they were set aside.
    ///   - conflictSuffix: The suffix of the name under which contents are kept that another program has saved
    ///     meanwhile; nil to replace nothing in that case.
    ///   - exchange: Exchanges two files.
    private func install(
        _ new: FolderEntry,
        _ bytes: [UInt8],
        basedOn read: ReadContents?,
        _ aside: FolderEntry?,
        keepingConflictsAs conflictSuffix: String?,
        _ exchange: (FolderEntry, FolderEntry) -> FolderEntry.FileExchange
    ) throws(SystemError) -> Placement {
        let keepsConflicts = conflictSuffix != nil
        let aside = try aside.flatMap { aside throws(SystemError) in try aside.identity() }
        if let read, read.version != nil || read.bytes == nil, !keepsConflicts {
            let now = try entry.status().map { FileVersion($0) }
            if now != read.version {
                new.remove()
                return .outdated
            }
        }
        if let read, read.bytes == nil, !keepsConflicts {
            switch new.move(toFreeName: entry) {
            case .done: return .inPlace()
            case .taken:
                new.remove()
                return .outdated
            case .unsupported: break
            }
        }
        switch exchange(new, entry) {
        case .done: break
        case .missing where read?.bytes != nil && !keepsConflicts:
            new.remove()
            return .outdated
        case .missing, .unsupported:
            let conflict = try conflictSuffix.flatMap { suffix throws(SystemError) in
                try keepConflict(basedOn: read, aside, as: suffix)
            }
            do throws(SystemError) {
                try new.move(to: entry, .replace)
            } catch {
                conflict?.remove()
                throw error
            }
            return .inPlace(conflict: conflict)
        }
        var replaced = ReplacedFile(entry: new)
        let status = try? new.status()
        if let status, status.st_mode & S_IFMT != S_IFREG {
            // Something else than a file has just taken the name, and gets it back.
            guard exchange(new, entry) == .done else { return .exchanged(replaced) }
            let code = status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EEXIST
            throw SystemError(operation: .replace, path: entry.path, code: code)
        }
        replaced.isRecyclable = recycled != nil && RecycledTemporaryFile.isSupported(in: entry.folder.path)
        replaced.isSetAside = aside != nil && aside == status.map { FileIdentity($0) }
        guard let read, !replaced.isSetAside else { return .exchanged(replaced) }
        replaced.hasNoWriters = hasNoWriters(new)
        let comparison = new.compare(with: read)
        if comparison == .same { return .exchanged(replaced) }
        if !keepsConflicts, try restore(new, bytes) {
            if case .unreadable(let code) = comparison {
                throw SystemError(operation: .read, path: entry.path, code: code)
            }
            return .outdated
        }
        replaced.hasConflict = true
        return .exchanged(replaced)
    }

    /// Gives the file a second name before it is replaced, if its contents are not those that were read.
    ///
    /// - Parameters:
    ///   - read: The contents that were read; nil for any.
    ///   - aside: The file that has a second name already.
    ///   - suffix: The suffix of the name.
    /// - Returns: The second name; nil if none is needed.
    private func keepConflict(
        basedOn read: ReadContents?,
        _ aside: FileIdentity?,
        as suffix: String
    ) throws(SystemError) -> FolderEntry? {
        guard let read, let status = try entry.status() else { return nil }
        if aside == FileIdentity(status) || read.version == FileVersion(status) { return nil }
        return entry.compare(with: read) == .same ? nil : try keep(entry, as: suffix, removesOld: false)
    }

    /// Exchanges the new file and the file that another program has saved, and removes the new one.
    ///
    /// If a program has saved again meanwhile, the contents that were saved last remain in place.
    ///
    /// - Parameters:
    ///   - other: The saved file.
    ///   - bytes: The new contents, which are in place.
    /// - Returns: Whether the saved file is in place again; if not, the new contents still are.
    /// - Throws: ``SystemError`` if a saved file is in place, but another one cannot be read. It may have been saved as
    ///   well, and is set aside under a name that the error contains.
    func restore(_ other: FolderEntry, _ bytes: [UInt8]) throws(SystemError) -> Bool {
        var expected = ReadContents(bytes: bytes)
        var unreadable: FolderEntry.Comparison?
        var hasPlace = false
        while true {
            var saved = ReadContents()
            var unreadableSave: FolderEntry.Comparison?
            do throws(SystemError) {
                saved.bytes = try other.read()?.bytes
            } catch {
                unreadableSave = .unreadable(error.code)
            }
            switch other.exchange(with: entry) {
            case .done: hasPlace = true
            case .missing:
                // The removal of the file was the last change.
                other.remove()
                return true
            // The other file is the only copy of the saved contents.
            case .unsupported: return hasPlace
            }
            switch unreadable ?? other.compare(with: expected) {
            case .same:
                other.remove()
                return true
            case .different: (expected, unreadable) = (saved, unreadableSave)
            case .unreadable(let code):
                let kept = try keep(other, as: Self.suffix("replaced"))
                throw SystemError(operation: .compareSetAside, path: kept.path, code: code)
            }
        }
    }

    /// The outcome for contents that another program has saved while new ones were installed.
    enum Resolution {
        /// The new contents are in place, and the saved ones are kept under this name.
        case kept(FolderEntry)
        /// The saved contents are in place again. The error, if any, is why they could not be read or kept.
        case restored(SystemError?)
        /// The new contents are in place, and the saved ones could neither be kept nor restored.
        case failed(SystemError)
    }

    /// Sets aside contents that another program has saved, or restores them.
    ///
    /// - Parameters:
    ///   - other: The saved file.
    ///   - comparison: How its contents compare with those that were read.
    ///   - bytes: The new contents, which are in place.
    ///   - suffix: The suffix of the name; nil to restore the saved contents.
    func resolveConflict(
        _ other: FolderEntry,
        _ comparison: FolderEntry.Comparison,
        _ bytes: [UInt8],
        keepingAs suffix: String?
    ) -> Resolution {
        var failure: SystemError?
        if case .unreadable(let code) = comparison {
            failure = SystemError(operation: .read, path: entry.path, code: code)
        }
        if let suffix {
            do throws(SystemError) {
                return .kept(try keep(other, as: suffix))
            } catch {
                failure = error
            }
        }
        do throws(SystemError) {
            if try restore(other, bytes) { return .restored(failure) }
        } catch {
            return .restored(error)
        }
        return .failed(failure ?? SystemError(operation: .replace, path: entry.path, code: EIO))
    }

    /// Returns whether no process has a file open for writing, after a wait of up to 20 ms.
    ///
    /// - Parameter entry: A file that cannot be opened by another name.
    /// - Returns: False also if the system cannot tell.
    private func hasNoWriters(_ entry: FolderEntry) -> Bool {
        guard let file = try? entry.open(O_RDONLY | O_NONBLOCK) else { return false }
        for _ in 0..<20 {
            switch file.isOpenForWriting() {
            case .some(false): return true
            case .none: return false
            // No system call waits until another process closes a file (a lease only reports that it was opened).
            case .some(true): usleep(1_000)
            }
        }
        return false
    }
}

extension FolderEntry {
    enum Comparison: Equatable {
        case same
        case different
        /// The file cannot be read. The code is the value of `errno`.
        case unreadable(CInt)
    }

    /// Compares a file with the contents that were read.
    func compare(with read: ReadContents) -> Comparison {
        do throws(SystemError) {
            guard read.bytes != nil, let found = try self.read()?.bytes else { return .different }
            return read.bytes.hasSameBytes(as: found) ? .same : .different
        } catch {
            return .unreadable(error.code)
        }
    }
}
