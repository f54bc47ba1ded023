#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

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
