import Dispatch

/// The files that the next contents of a file are written to, before they replace it: `.NAME.tmp-` and 13 digits of base 36.
extension FolderEntry {
    /// A name that no file has, another each time.
    package func makeTemporary() -> FolderEntry {
        let number = String(UInt64.random(in: .min ... .max), radix: 36)
        return sibling(temporaryPrefix + String(repeating: "0", count: Self.digitCount - number.utf8.count) + number)
    }

    private var temporaryPrefix: String { ".\(name).tmp-" }

    /// The digits of the largest number of 64 bits in base 36.
    private static let digitCount = 13

    /// Removes the temporary files of processes that were killed while they wrote. The caller has the lock of the file.
    ///
    /// No other process writes meanwhile, and so no live write loses its file. Only where locks do not exclude the processes
    /// of other machines, a live write is possible: there, files stay that were changed within the last minute.
    ///
    /// - Parameters:
    ///   - exception: The name of a file that stays.
    ///   - endings: What may follow the names, as `-wal` of a database.
    package func removeTemporaryFiles(
        except exception: String? = nil,
        endings: [String] = [""]
    ) throws(SystemError) {
        let prefix = Array(temporaryPrefix.utf8)
        let endings = endings.map { Array($0.utf8) }
        let names = try folder.names { name in
            guard name.starts(with: prefix) else { return false }
            let digits = name.dropFirst(prefix.count).prefix(Self.digitCount)
            guard digits.count == Self.digitCount, digits.allSatisfy(Self.isDigit),
                UInt64(String(decoding: digits, as: UTF8.self), radix: 36) != nil
            else { return false }
            return endings.contains { name.dropFirst(prefix.count + Self.digitCount).elementsEqual($0) }
        }
        if names.allSatisfy({ $0 == exception }) { return }
        let minimumAge: Double? = RemoteFileSystem(of: folder.path) == nil ? nil : 60
        for name in names where name != exception {
            let entry = sibling(name)
            guard let status = try entry.status(), status.st_mode & S_IFMT == S_IFREG else { continue }
            if let minimumAge, let now = FileTime.now() {
                // A clock that was set back makes files of the future.
                guard abs(FileTime(of: status).seconds(until: now)) >= minimumAge else { continue }
            }
            entry.remove()
        }
    }

    /// Whether a byte is one of 0 to 9 and a to z.
    private static func isDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
    }
}

/// The file whose contents were replaced last, kept for a while to write the next ones into.
///
/// The file system need not make one file and remove another then, which on ext4, with ten keys, is two fifths of the time
/// of a write. On Linux alone: elsewhere one cannot ask whether anybody has a file open.
package final class SpareFile: Sendable {
    /// One that another process has left is unknown, and never written over: that may have been killed before it had
    /// synced the folder, and a power failure then gives the file its place back, half written.
    private struct Known {
        let entry: FolderEntry
        let identity: FileIdentity
        /// The file whose contents were in it.
        let target: FolderEntry
    }

    private struct State {
        var known: Known?
        /// Whether it was kept since the last look at that.
        var isFresh = false
        var isRemovalPlanned = false
        var isClosed = false
    }

    private let state = Locked(State())
    private let later: @Sendable (@escaping @Sendable () -> Void) -> Void

    /// - Parameter later: Runs something on another thread. One is kept until the second time that it does so without
    ///   having been taken meanwhile. By default after 1 s: what is written less often need not be faster, and whoever
    ///   looks into the folder finds nothing odd there.
    package init(
        later: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { removal in
            DispatchQueue.global(qos: .utility).runLater(at: .now() + 1, removal)
        }
    ) {
        self.later = later
    }

    /// Whether a file may be kept in a folder.
    static func isPossible(in folder: String) -> Bool {
        #if canImport(Darwin)
            return false
        #else
            // Who has a file open on another machine nobody knows, and of files in an overlay the system does not know who
            // has them in memory.
            let type = LinuxCalls.shared.fileSystemType(of: folder)
            return type.map { $0 != LinuxCalls.overlayType && RemoteFileSystem(type: $0) == nil } ?? false
        #endif
    }

    /// Keeps a file that contents were replaced in. The folder must have been synced since.
    ///
    /// - Parameter target: Where those contents were.
    func keep(_ entry: FolderEntry, of target: FolderEntry) {
        guard let identity = try? entry.identity() else {
            entry.remove()
            return
        }
        let known = Known(entry: entry, identity: identity, target: target)
        let (isClosed, isPlanned) = state.withLock { state in
            let isPlanned = state.isRemovalPlanned
            if !state.isClosed { (state.known, state.isFresh, state.isRemovalPlanned) = (known, true, true) }
            return (state.isClosed, isPlanned)
        }
        if isClosed { entry.remove() } else if !isPlanned { planRemoval() }
    }

    /// Gives the file away, open for writing and leased: until the lease ends, whoever opens the file waits.
    ///
    /// It is removed where somebody has it open, or another name for it, or it was another file's, as of a link that led
    /// elsewhere, or has other attributes than the one whose place it is to take.
    ///
    /// - Parameter isAllowed: Whether a file with this status may be replaced by a spare one, which has its permissions.
    func take(toReplace target: FolderEntry, if isAllowed: (stat) -> Bool = { _ in true }) -> TemporaryFile? {
        guard let known = forget() else { return nil }
        guard known.target.isSame(as: target),
            let file = try? known.entry.open(O_WRONLY | O_NONBLOCK),
            let current = try? target.open(O_RDONLY | O_NONBLOCK),
            let status = try? file.status(), let wanted = try? current.status(), isAllowed(wanted),
            FileIdentity(status) == known.identity, status.st_nlink == 1, status.st_dev == wanted.st_dev,
            status.st_mode == wanted.st_mode, status.st_uid == wanted.st_uid, status.st_gid == wanted.st_gid,
            file.hasSameExtendedAttributes(as: current), file.lease()
        else {
            known.entry.remove()
            return nil
        }
        return TemporaryFile(entry: known.entry, file: file)
    }

    /// The name of the file that is kept, if any.
    var name: String? { state.withLock { $0.known?.entry.name } }

    /// Removes the file, if one is kept, and keeps no other.
    package func close() {
        state.withLock { $0.isClosed = true }
        remove()
    }

    private func remove() {
        forget()?.entry.remove()
    }

    private func forget() -> Known? {
        state.withLock { state in
            defer { state.known = nil }
            return state.known
        }
    }

    private func planRemoval() {
        later { [weak self] in
            guard let self else { return }
            let isFresh = state.withLock { state in
                defer {
                    state.isRemovalPlanned = state.isFresh
                    state.isFresh = false
                }
                return state.isFresh
            }
            if isFresh { planRemoval() } else { remove() }
        }
    }
}
