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
            if try FileIdentity.current(path) == FileIdentity(file.status()) {
                self.file = file
                return
            }
        }
    }
}
