#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The right to change a file, which one process at a time has, and of its threads one.
///
/// It is a lock on a file of its own beside the other, as that is replaced at each change. The system takes it back
/// when the process ends, however it ends; the empty file stays, as removing it would let two processes lock two files.
struct FileLock: ~Copyable {
    private let file: OpenFile
    private let identity: FileIdentity
    /// The process that has it. One that was forked from it has a copy of this, and of the open file.
    private let process = getpid()

    /// The locks held by this process, each with the thread that has it. Only a thread itself puts its name here.
    private static let holders = Locked<[FileIdentity: UInt]>([:])

    /// Who is to be able to lock a file.
    struct Users {
        var owner: uid_t
        var group: gid_t
        var mode: mode_t
    }

    /// Waits for the lock.
    ///
    /// - Parameters:
    ///   - path: Where the lock's file is, or is to be made.
    ///   - users: Whom it is made for, or has come to be for since; nil for the process's own user.
    init(_ path: String, for users: Users? = nil) throws(SystemError) {
        while true {
            let file: OpenFile
            do throws(SystemError) {
                file = try Self.open(path, mode: users?.mode ?? 0o600)
            } catch {
                let isThere = (try? FileIdentity.current(path)) != nil
                throw SystemError(operation: isThere ? "lock" : error.operation, path: path, code: error.code)
            }
            try file.lock()
            // Someone may have removed it in the meantime: then this lock is one that nobody else will meet.
            let status = try file.status()
            let identity = FileIdentity(status)
            if try FileIdentity.current(path) == identity {
                if let users { Self.hand(file, status, to: users) }
                Self.holders.withLock { $0[identity] = ThreadIdentity.current }
                self.file = file
                self.identity = identity
                return
            }
        }
    }

    /// NFS locks only what may be written. Elsewhere who may only read it can lock it as well.
    private static func open(_ path: String, mode: mode_t) throws(SystemError) -> OpenFile {
        do throws(SystemError) {
            return try OpenFile(path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: mode)
        } catch {
            guard [EACCES, EPERM, EROFS].contains(error.code) else { throw error }
            return try OpenFile(path, O_RDONLY | O_CREAT | O_NOFOLLOW, mode: mode)
        }
    }

    /// Gives a lock's file to those who use it, as far as the system lets this process do so.
    private static func hand(_ file: borrowing OpenFile, _ status: stat, to users: Users) {
        if status.st_uid != users.owner || status.st_gid != users.group {
            try? file.setOwnerAsAllowed(users.owner, group: users.group)
        }
        if status.st_mode & 0o777 != users.mode { try? file.setMode(users.mode) }
    }

    deinit {
        // Before it is free: from then on the name may be that of the next thread.
        Self.holders.withLock { _ = $0.removeValue(forKey: identity) }
        // Closing the file alone would leave it locked for as long as a process has it open that was forked meanwhile.
        if process == getpid() { file.unlock() }
    }

    /// Whether the calling thread has a lock, whichever.
    static var isAnyHeldByThisThread: Bool {
        holders.withLock { $0.values.contains(ThreadIdentity.current) }
    }

    /// Whether the calling thread has this lock. The system would let it wait for itself.
    static func isHeldByThisThread(_ path: String) throws(SystemError) -> Bool {
        guard let identity = try FileIdentity.current(path) else { return false }
        return holders.withLock { $0[identity] } == ThreadIdentity.current
    }
}
