import Foundation
import Synchronization

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

/// The contents of a file when it was read.
package struct ReadContents {
    /// The bytes; nil if there was no file.
    var bytes: [UInt8]?
    /// The version of the file; nil if any version with these bytes is accepted.
    var version: FileVersion?
    /// The version that the values come from, which is not that of a damaged file; nil if they come from no file.
    var source: FileVersion?

    package init(bytes: [UInt8]? = nil, version: FileVersion? = nil, source: FileVersion? = nil) {
        self.bytes = bytes
        self.version = version
        self.source = source
    }
}

/// Puts new contents in the place of those that they were made of, and of no others.
///
/// Programs that know of no lock, such as editors, may save at any moment, in place or by renaming a file of their own.
/// A look before the rename leaves a gap. So, where the file system can, the new file and the old one are exchanged, and
/// the old one is looked at afterwards: if it is not what was read, the two are exchanged once more.
extension LockedStoreFile {
    enum Placement {
        /// Another program has saved since the old contents were read. The new file is gone.
        case outdated
        /// The new contents are in place, and the old ones are gone, unless they are a conflict, which this is.
        case inPlace(conflict: FolderEntry? = nil)
        /// The new contents are in place, and the old ones have their former name.
        case exchanged(ReplacedFile)
    }

    /// A file that has lost its place to another.
    struct ReplacedFile {
        let entry: FolderEntry
        /// Whether no program has it open for writing.
        var isFinal = false
        /// Whether it is not what was read.
        var hasConflict = false
        /// Whether it has a second name, so that whatever is written to it is kept.
        var isSetAside = false
        /// Whether it may be written over by the next contents but one.
        var mayBeSpare = false
    }

    /// - Parameters:
    ///   - new: The file that has the new contents.
    ///   - bytes: The new contents.
    ///   - read: The contents that they were made of; nil to replace any.
    ///   - aside: A second name that the old contents have.
    ///   - conflictSuffix: What the name ends in that contents are kept under which another program has saved meanwhile; nil
    ///     to replace nothing then.
    ///   - exchange: Exchanges two files.
    func putInPlace(
        _ new: FolderEntry,
        _ bytes: [UInt8],
        madeOf read: ReadContents?,
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
                try keepConflict(madeOf: read, aside, as: suffix)
            }
            do throws(SystemError) {
                try new.move(to: entry, "replace")
            } catch {
                conflict?.remove()
                throw error
            }
            return .inPlace(conflict: conflict)
        }
        var replaced = ReplacedFile(entry: new)
        let status = try? new.status()
        if let status, status.st_mode & S_IFMT != S_IFREG {
            // Something else has taken the place just now, and gets it back.
            guard exchange(new, entry) == .done else { return .exchanged(replaced) }
            let code = status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EEXIST
            throw SystemError(operation: "replace", path: entry.path, code: code)
        }
        replaced.mayBeSpare = spare != nil && SpareFile.isPossible(in: entry.folder.path)
        replaced.isSetAside = aside != nil && aside == status.map { FileIdentity($0) }
        guard let read, !replaced.isSetAside else { return .exchanged(replaced) }
        replaced.isFinal = isFinal(new)
        let comparison = new.compare(with: read)
        if comparison == .same { return .exchanged(replaced) }
        if !keepsConflicts, try giveBack(new, bytes) {
            if case .unreadable(let code) = comparison {
                throw SystemError(operation: "read", path: entry.path, code: code)
            }
            return .outdated
        }
        replaced.hasConflict = true
        return .exchanged(replaced)
    }

    /// Gives the file a second name where it is not what was read, before it is replaced.
    ///
    /// - Parameters:
    ///   - aside: The file that has a second name already.
    ///   - suffix: What that name ends in.
    /// - Returns: The second name; nil where it needs none.
    private func keepConflict(
        madeOf read: ReadContents?,
        _ aside: FileIdentity?,
        as suffix: String
    ) throws(SystemError) -> FolderEntry? {
        guard let read, let status = try entry.status() else { return nil }
        if aside == FileIdentity(status) || read.version == FileVersion(status) { return nil }
        return entry.compare(with: read) == .same ? nil : try keep(entry, as: suffix, removesOld: false)
    }

    /// Exchanges the new file and what another program has saved once more. The new file is gone then.
    ///
    /// Another program may have saved again meanwhile: what was saved last keeps the place.
    ///
    /// - Parameters:
    ///   - other: The saved file.
    ///   - bytes: The new contents, which are in place.
    /// - Returns: Whether the saved file has its place; if not, the new contents still have it.
    /// - Throws: Where a file has its place, and another one cannot be read: that may have been saved as well, and is kept
    ///   under another name, which the error has.
    func giveBack(_ other: FolderEntry, _ bytes: [UInt8]) throws(SystemError) -> Bool {
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
                // The file was removed meanwhile, and that was done last.
                other.remove()
                return true
            // The other file is the only copy of something that was saved.
            case .unsupported: return hasPlace
            }
            switch unreadable ?? other.compare(with: expected) {
            case .same:
                other.remove()
                return true
            case .different: (expected, unreadable) = (saved, unreadableSave)
            case .unreadable(let code):
                let operation = "compare what another program may have saved just now, which was set aside as"
                let kept = try keep(other, as: Self.suffix("replaced"))
                throw SystemError(operation: operation, path: kept.path, code: code)
            }
        }
    }

    /// The outcome for contents that another program has saved while new ones were put in place.
    enum Resolution {
        /// The new contents are in place, and the saved ones have this name.
        case kept(FolderEntry)
        /// The saved contents have their place again. With the error that kept them from being read or kept, if any.
        case givenBack(SystemError?)
        /// The new contents are in place, and the saved ones could neither be kept nor given back.
        case failed(SystemError)
    }

    /// Keeps contents that another program has saved under another name, or else gives them their place back.
    ///
    /// - Parameters:
    ///   - other: The file that has them.
    ///   - comparison: How they compare with what was read.
    ///   - bytes: The new contents, which are in place.
    ///   - suffix: What the name ends in that they are kept under; nil to give them their place back.
    func resolveConflict(
        _ other: FolderEntry,
        _ comparison: FolderEntry.Comparison,
        _ bytes: [UInt8],
        keepingAs suffix: String?
    ) -> Resolution {
        var failure: SystemError?
        if case .unreadable(let code) = comparison {
            failure = SystemError(operation: "read", path: entry.path, code: code)
        }
        if let suffix {
            do throws(SystemError) {
                return .kept(try keep(other, as: suffix))
            } catch {
                failure = error
            }
        }
        do throws(SystemError) {
            if try giveBack(other, bytes) { return .givenBack(failure) }
        } catch {
            return .givenBack(error)
        }
        return .failed(failure ?? SystemError(operation: "replace", path: entry.path, code: EIO))
    }

    /// Whether no program has a file open for writing. Those that have are given a moment to close it.
    ///
    /// - Parameter entry: A file that cannot be opened by another name.
    /// - Returns: False, too, where the system does not say.
    private func isFinal(_ entry: FolderEntry) -> Bool {
        guard let file = try? entry.open(O_RDONLY | O_NONBLOCK) else { return false }
        for _ in 0..<20 {
            switch file.isOpenForWriting() {
            case .some(false): return true
            case .none: return false
            // No system call waits until another process closes a file (a lease reports only that it was opened), so this
            // looks every millisecond, 20 times.
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
        /// With the value of `errno`.
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
