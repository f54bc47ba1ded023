#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The exclusive right to change a file, which one thread of one process has at a time.
///
/// It is a lock on a separate file beside the other, as that is replaced at each change. The system releases it when the
/// process ends, however it ends; the empty file stays, as removing it would let two processes lock two files.
struct FileLock: ~Copyable {
    private let file: LockableFile
    private let identity: FileIdentity
    /// The process that holds it. One that was forked from it has a copy of this, and of the open file.
    private let process = getpid()

    /// The locks held by this process, each with the thread that holds it. Threads add themselves alone.
    private static let holders = Locked<[FileIdentity: UInt]>([:])

    /// The users that may lock a file.
    struct Users {
        var owner: uid_t
        var group: gid_t
        var mode: mode_t
    }

    /// Waits for the lock.
    ///
    /// - Parameters:
    ///   - path: Where the lock's file is, or is to be made.
    ///   - users: The users that it is for; nil, the default, for the process's own user.
    ///   - wait: How long to wait.
    /// - Throws: ``SystemError``, with `ETIMEDOUT` where the lock was not free in time.
    init(_ path: String, for users: Users? = nil, wait: FileLockWait) throws(SystemError) {
        while true {
            let file: OpenFile
            do throws(SystemError) {
                file = try Self.open(path, mode: users?.mode ?? 0o600)
            } catch {
                let isThere = (try? FileIdentity.current(path)) != nil
                throw SystemError(operation: isThere ? "lock" : error.operation, path: path, code: error.code)
            }
            let lockable = try LockableFile.locked(file, path, until: wait.deadline, isCancelled: wait.isCancelled)
            // The file may have been removed in the meantime: then no other process will meet this lock.
            let status = try lockable.file.status()
            let identity = FileIdentity(status)
            if try FileIdentity.current(path) == identity {
                if let users { Self.hand(lockable.file, status, to: users) }
                Self.holders.withLock { $0[identity] = ThreadIdentity.current }
                self.file = lockable
                self.identity = identity
                return
            }
        }
    }

    /// NFS locks only files that are open for writing. Elsewhere a file that may only be read can be locked as well.
    private static func open(_ path: String, mode: mode_t) throws(SystemError) -> OpenFile {
        do throws(SystemError) {
            return try OpenFile(path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: mode)
        } catch {
            guard [EACCES, EPERM, EROFS].contains(error.code) else { throw error }
            return try OpenFile(path, O_RDONLY | O_CREAT | O_NOFOLLOW, mode: mode)
        }
    }

    /// Gives a lock's file the owner and permissions that its users need, as far as the system lets this process do so.
    private static func hand(_ file: borrowing OpenFile, _ status: stat, to users: Users) {
        if status.st_uid != users.owner || status.st_gid != users.group {
            try? file.setOwnerAsAllowed(users.owner, group: users.group)
        }
        if status.st_mode & 0o777 != users.mode { try? file.setMode(users.mode) }
    }

    deinit {
        // Before it is free: from then on the entry may be the next thread's.
        Self.holders.withLock { _ = $0.removeValue(forKey: identity) }
        // Closing the file alone would leave it locked for as long as a process has it open that was forked meanwhile.
        if process == getpid() { file.file.unlock() }
    }

    /// Whether the calling thread holds any lock.
    static var isAnyHeldByThisThread: Bool {
        holders.withLock { $0.values.contains(ThreadIdentity.current) }
    }

    /// Whether the calling thread holds this lock. It would wait for itself.
    static func isHeldByThisThread(_ path: String) throws(SystemError) -> Bool {
        guard let identity = try FileIdentity.current(path) else { return false }
        return holders.withLock { $0[identity] } == ThreadIdentity.current
    }
}
