import Dispatch

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The file that had the place of the last contents before them, kept for a while to write the next ones into.
///
/// The file system need not make one file and remove another then, which with ten keys is two fifths of the time of a write.
/// On Linux alone: elsewhere one cannot ask whether anybody has a file open.
final class SpareFile: Sendable {
    /// One that another process has left is unknown, and never written over: that may have been killed before it had
    /// synced the folder, and a power failure then gives the file its place back, half written.
    private struct Known {
        let path: String
        let identity: FileIdentity
        /// A child that is forked does not know what its parent has done since.
        let process: pid_t
    }

    private struct State {
        var known: Known?
        /// Whether it was kept since the last look at that.
        var isFresh = false
        var isRemovalPlanned = false
    }

    private let state = Locked(State())
    private let later: @Sendable (@escaping @Sendable () -> Void) -> Void

    /// - Parameter later: Runs something on another thread. One is kept until the second time that it does so without
    ///   having been taken meanwhile. By default after 1 s: what is written less often need not be faster, and whoever
    ///   looks into the folder finds nothing odd there.
    init(
        later: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { removal in
            DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + 1, execute: removal)
        }
    ) {
        self.later = later
    }

    /// Keeps the file that contents were replaced in. The folder must have been synced since.
    func keep(_ path: String, in folder: String) {
        var status = stat()
        // Which files are open on other machines nobody knows.
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, RemoteFileSystem(of: folder) == nil else {
            unlink(path)
            return
        }
        let known = Known(path: path, identity: FileIdentity(status), process: getpid())
        let isToPlan = state.withLock { state in
            defer { state = State(known: known, isFresh: true, isRemovalPlanned: true) }
            return !state.isRemovalPlanned
        }
        if isToPlan { planRemoval() }
    }

    /// Gives the file away, open for writing; nil where somebody else has it or could see it change, or where it has other
    /// attributes than the one that its contents are to replace. Either way it is not kept any more.
    func take(toReplace path: String) -> OpenFile? {
        guard let known = forget(),
            let file = try? OpenFile(known.path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK),
            let current = try? OpenFile(path, O_RDONLY | O_NONBLOCK),
            let status = try? file.status(), let wanted = try? current.status(),
            FileIdentity(status) == known.identity, status.st_nlink == 1,
            status.st_mode == wanted.st_mode, status.st_uid == wanted.st_uid, status.st_gid == wanted.st_gid,
            file.hasSameExtendedAttributes(as: current), file.isOpenHereAlone()
        else { return nil }
        return file
    }

    /// Removes the file, if one is kept.
    func remove() {
        if let known = forget() { unlink(known.path) }
    }

    private func forget() -> Known? {
        let known = state.withLock { state in
            defer { state.known = nil }
            return state.known
        }
        return known?.process == getpid() ? known : nil
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
