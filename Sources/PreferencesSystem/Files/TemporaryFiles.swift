import Dispatch

/// Temporary files, which new contents are written to before they replace a file: `.NAME.tmp-` and 13 digits in base
/// 36.
extension FolderEntry {
    /// Returns a name that no file has, a new one each time.
    package func makeTemporary() -> FolderEntry {
        let number = String(UInt64.random(in: .min ... .max), radix: 36)
        return sibling(temporaryPrefix + String(repeating: "0", count: Self.digitCount - number.utf8.count) + number)
    }

    private var temporaryPrefix: String { ".\(name).tmp-" }

    /// The number of digits of the largest 64-bit number in base 36.
    private static let digitCount = 13

    /// Removes the temporary files of processes that were killed while they wrote. The caller holds the lock of the
    /// file.
    ///
    /// The lock ensures that no process is writing. On remote file systems, where locks may not exclude the processes
    /// of other machines, files that were changed within the last minute are kept.
    ///
    /// - Parameters:
    ///   - exception: The name of a file to keep; nil, the default, for none.
    ///   - endings: The suffixes that may follow the names, such as `-wal` of a database; by default none.
    package func removeTemporaryFiles(
        except exception: String? = nil,
        endings: [String] = [""]
    ) throws(SystemError) {
        let names = try temporaryNames(endings: endings)
        if names.allSatisfy({ $0 == exception }) { return }
        let minimumAge: Double? = RemoteFileSystem(of: folder.path) == nil ? nil : 60
        for name in names where name != exception {
            let entry = sibling(name)
            guard let status = try entry.status(), status.st_mode & S_IFMT == S_IFREG else { continue }
            if let minimumAge, let now = FileTime.now() {
                // If the clock was set back, files are in the future.
                guard abs(FileTime(of: status).seconds(until: now)) >= minimumAge else { continue }
            }
            entry.remove()
        }
    }

    /// Returns the temporary files of this file, whether or not a process is writing them.
    ///
    /// - Parameter endings: As in ``removeTemporaryFiles(except:endings:)``.
    package func temporaryFiles(endings: [String] = [""]) throws(SystemError) -> [FolderEntry] {
        try temporaryNames(endings: endings).sorted().map(sibling)
    }

    private func temporaryNames(endings: [String]) throws(SystemError) -> [String] {
        let prefix = Array(temporaryPrefix.utf8)
        let endings = endings.map { Array($0.utf8) }
        return try folder.names { name in
            guard name.starts(with: prefix) else { return false }
            let digits = name.dropFirst(prefix.count).prefix(Self.digitCount)
            guard digits.count == Self.digitCount, digits.allSatisfy(Self.isDigit),
                UInt64(String(decoding: digits, as: UTF8.self), radix: 36) != nil
            else { return false }
            return endings.contains { name.dropFirst(prefix.count + Self.digitCount).elementsEqual($0) }
        }
    }

    /// Whether a byte is one of 0 to 9 and a to z.
    private static func isDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
    }
}

/// The file that was replaced last, kept briefly for writing the next contents into it.
///
/// This saves the file system creating one file and removing another, which on ext4, with ten keys, is two fifths of
/// the time of a write. Available on Linux only: other systems do not tell whether a process has a file open.
package final class RecycledTemporaryFile: Sendable {
    /// A file of this process. Those that other processes have left are never overwritten: a process may have been
    /// killed before it synced the folder, and a power failure could then restore the replaced file, half overwritten.
    private struct Kept {
        let entry: FolderEntry
        let identity: FileIdentity
        /// The store's file that it was.
        let target: FolderEntry
    }

    private struct State {
        var kept: Kept?
        /// Whether a file was kept since the scheduled closure last ran.
        var isFresh = false
        var isRemovalScheduled = false
        var isClosed = false
    }

    private let state = Locked(State())
    private let schedule: @Sendable (@escaping @Sendable () -> Void) -> Void

    /// Creates a holder without a file.
    ///
    /// - Parameter schedule: Runs a closure later, on another thread; by default after 1 s, since rarer writes need not
    ///   be faster, and the file is visible in its folder. A file is removed when the closure runs for the second time
    ///   while it is kept.
    package init(
        schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { removal in
            DispatchQueue.global(qos: .utility).runLater(at: .now() + 1, removal)
        }
    ) {
        self.schedule = schedule
    }

    /// Whether files in a folder can be recycled.
    static func isSupported(in folder: String) -> Bool {
        #if canImport(Darwin)
            return false
        #else
            // The system does not know whether another machine has a file open, nor whether a process has mapped a file
            // of an overlay.
            let type = LinuxSystemCalls.shared.fileSystemType(of: folder)
            return type.map { $0 != LinuxSystemCalls.overlayType && RemoteFileSystem(type: $0) == nil } ?? false
        #endif
    }

    /// Keeps a replaced file. The folder must have been synced since it was replaced.
    ///
    /// - Parameters:
    ///   - entry: The replaced file.
    ///   - target: The store's file that it was.
    func keep(_ entry: FolderEntry, of target: FolderEntry) {
        guard let identity = try? entry.identity() else {
            entry.remove()
            return
        }
        let kept = Kept(entry: entry, identity: identity, target: target)
        let (isClosed, isScheduled) = state.withLock { state in
            let isScheduled = state.isRemovalScheduled
            if !state.isClosed { (state.kept, state.isFresh, state.isRemovalScheduled) = (kept, true, true) }
            return (state.isClosed, isScheduled)
        }
        if isClosed { entry.remove() } else if !isScheduled { scheduleRemoval() }
    }

    /// Returns the kept file, open for writing and leased: until the lease ends, processes that open the file wait.
    ///
    /// The file is removed instead if a process has it open, it has another name, it was another store file, as after a
    /// change of a link, or its attributes differ from those of the file to replace.
    ///
    /// - Parameters:
    ///   - target: The store's file to replace.
    ///   - isAllowed: Whether a file with this status may be replaced by one with the same permissions.
    func take(toReplace target: FolderEntry, if isAllowed: (stat) -> Bool = { _ in true }) -> TemporaryFile? {
        guard let kept = forget() else { return nil }
        guard kept.target.isSame(as: target),
            let file = try? kept.entry.open(O_WRONLY | O_NONBLOCK),
            let current = try? target.open(O_RDONLY | O_NONBLOCK),
            let status = try? file.status(), let wanted = try? current.status(), isAllowed(wanted),
            FileIdentity(status) == kept.identity, status.st_nlink == 1, status.st_dev == wanted.st_dev,
            status.st_mode == wanted.st_mode, status.st_uid == wanted.st_uid, status.st_gid == wanted.st_gid,
            file.hasSameExtendedAttributes(as: current), file.lease()
        else {
            kept.entry.remove()
            return nil
        }
        return TemporaryFile(entry: kept.entry, file: file)
    }

    /// The name of the kept file; nil if there is none.
    var name: String? { state.withLock { $0.kept?.entry.name } }

    /// Removes the kept file, if any, and keeps no other.
    package func close() {
        state.withLock { $0.isClosed = true }
        remove()
    }

    private func remove() {
        forget()?.entry.remove()
    }

    private func forget() -> Kept? {
        state.withLock { state in
            defer { state.kept = nil }
            return state.kept
        }
    }

    private func scheduleRemoval() {
        schedule { [weak self] in
            guard let self else { return }
            let isFresh = state.withLock { state in
                defer {
                    state.isRemovalScheduled = state.isFresh
                    state.isFresh = false
                }
                return state.isFresh
            }
            if isFresh { scheduleRemoval() } else { remove() }
        }
    }
}
