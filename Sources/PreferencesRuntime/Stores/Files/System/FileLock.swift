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

    /// The locks held by this process, each with the thread that has it. Only a thread itself puts its name here.
    private static let holders = Locked<[FileIdentity: UInt]>([:])

    /// Waits for the lock.
    ///
    /// - Parameters:
    ///   - path: Where the lock's file is, or is to be made.
    ///   - mode: Its permissions, if it is made: who may change the other must be able to lock this.
    init(_ path: String, mode: mode_t) throws(SystemError) {
        while true {
            let file = try OpenFile(path, O_RDONLY | O_CREAT | O_NOFOLLOW, mode: mode)
            try file.lock()
            // Someone may have removed it in the meantime: then this lock is one that nobody else will meet.
            let identity = try FileIdentity(file.status())
            if try FileIdentity.current(path) == identity {
                Self.holders.withLock { $0[identity] = ThreadIdentity.current }
                self.file = file
                self.identity = identity
                return
            }
        }
    }

    deinit {
        Self.holders.withLock { _ = $0.removeValue(forKey: identity) }
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
