import Dispatch

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

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
