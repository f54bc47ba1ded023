#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The contents of a file when it was read.
struct ReadContents {
    /// Nil where there was no file.
    var bytes: [UInt8]?
    /// Nil where any version of these bytes will do.
    var version: FileVersion?
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
        /// The new contents are in place, and the old ones are gone, unless they are a conflict: then they have this path.
        case inPlace(conflictPath: String? = nil)
        /// The new contents are in place, and the old ones have their former name.
        case exchanged(ReplacedFile)
    }

    /// A file that has lost its place to another.
    struct ReplacedFile {
        let path: String
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
    ///   - file: Has the new contents.
    ///   - bytes: The new contents.
    ///   - read: The contents that they were made of; nil to replace any.
    ///   - asidePath: A second name that the old contents have.
    ///   - conflictSuffix: What the name ends in that contents are kept under which another program has saved meanwhile; nil
    ///     to replace nothing then.
    ///   - exchange: Exchanges the places of two files.
    func putInPlace(
        _ file: borrowing OpenFile,
        _ bytes: [UInt8],
        madeOf read: ReadContents?,
        _ asidePath: String?,
        keepingConflictsAs conflictSuffix: String?,
        _ exchange: (String, String) -> FileExchange.Exchange
    ) throws(SystemError) -> Placement {
        let keepsConflicts = conflictSuffix != nil
        let path = file.path
        let aside = try asidePath.flatMap { path throws(SystemError) in try FileIdentity.current(path) }
        if let read, read.version != nil || read.bytes == nil, !keepsConflicts {
            let now = try FileStatus.current(place.path).map { FileVersion($0) }
            if now != read.version {
                unlink(path)
                return .outdated
            }
        }
        if let read, read.bytes == nil, !keepsConflicts {
            switch FileExchange.moveToFreePlace(path, place.path) {
            case .done: return .inPlace()
            case .taken:
                unlink(path)
                return .outdated
            case .unsupported: break
            }
        }
        switch exchange(path, place.path) {
        case .done: break
        case .missing where read?.bytes != nil && !keepsConflicts:
            unlink(path)
            return .outdated
        case .missing, .unsupported:
            let conflictPath = try conflictSuffix.flatMap { suffix throws(SystemError) in
                try keepConflict(madeOf: read, aside, as: suffix)
            }
            do throws(SystemError) {
                try SystemError.check("replace", place.path) { rename(path, place.path) }
            } catch {
                if let conflictPath { unlink(conflictPath) }
                throw error
            }
            return .inPlace(conflictPath: conflictPath)
        }
        var replaced = ReplacedFile(path: path)
        var status = stat()
        if lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            // Something else has taken the place just now, and gets it back.
            guard exchange(path, place.path) == .done else { return .exchanged(replaced) }
            let code = status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EEXIST
            throw SystemError(operation: "replace", path: place.path, code: code)
        }
        replaced.mayBeSpare = spare != nil && SpareFile.isPossible(in: place.folder)
        replaced.isSetAside = aside == FileIdentity(status)
        guard let read, !replaced.isSetAside else { return .exchanged(replaced) }
        replaced.isFinal = isFinal(path)
        let comparison = compare(path, with: read)
        if comparison == .same { return .exchanged(replaced) }
        if !keepsConflicts, try giveBack(path, bytes) {
            if case .unreadable(let code) = comparison {
                throw SystemError(operation: "read", path: place.path, code: code)
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
    ) throws(SystemError) -> String? {
        guard let read, let status = try FileStatus.current(place.path) else { return nil }
        if aside == FileIdentity(status) || read.version == FileVersion(status) { return nil }
        return compare(place.path, with: read) == .same ? nil : try keep(place.path, as: suffix, removesOld: false)
    }

    /// Exchanges the new file and what another program has saved once more. The new file is gone then.
    ///
    /// Another program may have saved again meanwhile: what was saved last keeps the place.
    ///
    /// - Parameters:
    ///   - path: Where the saved file is.
    ///   - bytes: The new contents, which are in place.
    /// - Returns: Whether the saved file has its place; if not, the new contents still have it.
    /// - Throws: Where a file has its place, and another one cannot be read: that may have been saved as well, and is kept
    ///   under another name, which the error has.
    func giveBack(_ path: String, _ bytes: [UInt8]) throws(SystemError) -> Bool {
        var expected = ReadContents(bytes: bytes)
        var unreadable: Comparison?
        var hasPlace = false
        while true {
            var saved = ReadContents()
            var unreadableSave: Comparison?
            do throws(SystemError) {
                saved.bytes = try StoreFile(path: path).read()?.bytes
            } catch {
                unreadableSave = .unreadable(error.code)
            }
            switch FileExchange.exchange(path, place.path) {
            case .done: hasPlace = true
            case .missing:
                // The file was removed meanwhile, and that was done last.
                unlink(path)
                return true
            // The file at the path is the only copy of something that was saved.
            case .unsupported: return hasPlace
            }
            switch unreadable ?? compare(path, with: expected) {
            case .same:
                unlink(path)
                return true
            case .different: (expected, unreadable) = (saved, unreadableSave)
            case .unreadable(let code):
                let operation = "compare what another program may have saved just now, which was set aside as"
                let keptPath = try keep(path, as: Self.suffix("replaced"))
                throw SystemError(operation: operation, path: keptPath, code: code)
            }
        }
    }

    /// The outcome for contents that another program has saved while new ones were put in place.
    enum Resolution {
        /// The new contents are in place, and the saved ones have this path.
        case kept(String)
        /// The saved contents have their place again. With the error that kept them from being read or kept, if any.
        case givenBack(SystemError?)
        /// The new contents are in place, and the saved ones could neither be kept nor given back.
        case failed(SystemError)
    }

    /// Keeps contents that another program has saved under another name, or else gives them their place back.
    ///
    /// - Parameters:
    ///   - path: Where they are.
    ///   - comparison: How they compare with what was read.
    ///   - bytes: The new contents, which are in place.
    ///   - suffix: What the name ends in that they are kept under; nil to give them their place back.
    func resolveConflict(
        _ path: String,
        _ comparison: Comparison,
        _ bytes: [UInt8],
        keepingAs suffix: String?
    ) -> Resolution {
        var failure: SystemError?
        if case .unreadable(let code) = comparison {
            failure = SystemError(operation: "read", path: place.path, code: code)
        }
        if let suffix {
            do throws(SystemError) {
                return .kept(try keep(path, as: suffix))
            } catch {
                failure = error
            }
        }
        do throws(SystemError) {
            if try giveBack(path, bytes) { return .givenBack(failure) }
        } catch {
            return .givenBack(error)
        }
        return .failed(failure ?? SystemError(operation: "replace", path: place.path, code: EIO))
    }

    enum Comparison: Equatable {
        case same
        case different
        /// With the value of `errno`.
        case unreadable(CInt)
    }

    /// Compares a file with the contents that were read.
    func compare(_ path: String, with read: ReadContents) -> Comparison {
        do throws(SystemError) {
            guard read.bytes != nil, let found = try StoreFile(path: path).read()?.bytes else { return .different }
            return read.bytes.hasSameBytes(as: found) ? .same : .different
        } catch {
            return .unreadable(error.code)
        }
    }

    /// Whether no program has a file open for writing. Those that have are given a moment to close it.
    ///
    /// - Parameter path: A file that cannot be opened by another name.
    /// - Returns: False, too, where the system does not say.
    private func isFinal(_ path: String) -> Bool {
        guard let file = try? OpenFile(path, O_RDONLY | O_NONBLOCK) else { return false }
        for _ in 0..<20 {
            switch file.isOpenForWriting() {
            case .some(false): return true
            case .none: return false
            // No system call waits until a file is closed by another process: a lease reports only that it was opened.
            case .some(true): usleep(1_000)
            }
        }
        return false
    }
}

/// Calls that move files only in ways that lose nothing.
enum FileExchange {
    enum Exchange {
        case done
        /// One of the two files is not there.
        case missing
        case unsupported
    }

    enum Move {
        case done
        /// There is a file at the place.
        case taken
        case unsupported
    }

    /// Exchanges the places of two files.
    static func exchange(_ path: String, _ other: String) -> Exchange {
        #if canImport(Darwin)
            let isDone = renamex_np(path, other, UInt32(RENAME_SWAP)) == 0
        #else
            guard let isDone = LinuxCalls.shared.exchange(path, other) else { return .unsupported }
        #endif
        return isDone ? .done : errno == ENOENT ? .missing : .unsupported
    }

    /// Moves a file to a place where there is none.
    static func moveToFreePlace(_ path: String, _ place: String) -> Move {
        #if canImport(Darwin)
            let isDone = renamex_np(path, place, UInt32(RENAME_EXCL)) == 0
        #else
            guard let isDone = LinuxCalls.shared.moveToFreePlace(path, place) else { return .unsupported }
        #endif
        return isDone ? .done : errno == EEXIST ? .taken : .unsupported
    }
}
