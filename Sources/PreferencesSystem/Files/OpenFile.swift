/// An open file or folder, which is closed when the value goes out of scope.
package struct OpenFile: ~Copyable {
    package let path: String
    let descriptor: CInt

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - flags: The flags of open(2).
    ///   - mode: The permissions of a file that is created; 0600 by default.
    package init(_ path: String, _ flags: CInt, mode: mode_t = 0o600) throws(SystemError) {
        try self.init(path, path, in: AT_FDCWD, flags, mode: mode)
    }

    /// Opens a file relative to a folder.
    ///
    /// - Parameters:
    ///   - path: The path, for errors.
    ///   - name: The name, or the path relative to a folder.
    ///   - folder: The descriptor of the folder.
    init(
        _ path: String,
        _ name: String,
        in folder: CInt,
        _ flags: CInt,
        mode: mode_t = 0o600
    ) throws(SystemError) {
        self.path = path
        descriptor = try Self.descriptor(path, name, in: folder, flags, mode: mode)
    }

    /// Opens a file, and returns its descriptor, which the caller closes.
    static func descriptor(
        _ path: String,
        _ name: String,
        in folder: CInt,
        _ flags: CInt,
        mode: mode_t = 0o600
    ) throws(SystemError) -> CInt {
        try SystemError.check(flags & O_CREAT == 0 ? .open : .create, path) {
            // A process that recycles a replaced file holds a lease on it briefly. The system waits for leases without
            // a limit, so that another user could block this process with a lease on a file of their own. No call has a
            // time limit, so the file is opened without waiting, every millisecond.
            var deadline: ContinuousClock.Instant?
            while true {
                let descriptor = openAboveStandardStreams(name, in: folder, flags | O_CLOEXEC, mode)
                guard descriptor < 0, errno == EWOULDBLOCK else { return descriptor }
                let now = ContinuousClock.now
                let end = deadline ?? now + leaseTimeout
                deadline = end
                guard now < end else {
                    errno = EWOULDBLOCK
                    return descriptor
                }
                usleep(1_000)
            }
        }
    }

    /// The longest wait for a file on which another process has a lease: 2 s.
    private static let leaseTimeout = Duration.seconds(2)

    /// Opens a file, but never as standard input, output or error, which a daemon may have closed: the program's output
    /// would be written into the file. These descriptors are given to the null device instead.
    private static func openAboveStandardStreams(
        _ name: String,
        in folder: CInt,
        _ flags: CInt,
        _ mode: mode_t
    ) -> CInt {
        var flags = flags
        while true {
            let descriptor = openat(folder, name, flags, mode)
            guard 0...2 ~= descriptor else { return descriptor }
            let null = open("/dev/null", O_RDWR)
            guard null >= 0 else {
                close(descriptor)
                return -1
            }
            // This also closes the file.
            dup2(null, descriptor)
            if null > 2 { close(null) }
            // The file exists now, and may have been written to as a standard stream.
            if flags & O_EXCL != 0 { flags = flags & ~O_EXCL | O_TRUNC }
        }
    }

    /// Whether the process can open this many more files at present.
    static func canOpen(_ count: Int) -> Bool {
        let descriptors = (0..<count).map { _ in open("/dev/null", O_RDONLY | O_CLOEXEC) }
        for descriptor in descriptors where descriptor >= 0 { close(descriptor) }
        return descriptors.allSatisfy { $0 >= 0 }
    }

    deinit {
        close(descriptor)
    }

    /// Returns a duplicate of the descriptor, which the caller closes.
    func duplicateDescriptor() throws(SystemError) -> CInt {
        try SystemError.check(.open, path) { fcntl(descriptor, F_DUPFD_CLOEXEC, 3) }
    }

    func status() throws(SystemError) -> stat {
        var status = stat()
        try SystemError.check(.inspect, path) { fstat(descriptor, &status) }
        return status
    }

    /// The size limit of files that are read or written: 1 GiB.
    package static let maximumSize = 1 << 30

    /// Reads the rest of the file, in pieces: its size cannot be relied on, since a sparse file may report a huge one.
    func readToEnd(expecting size: Int) throws(SystemError) -> [UInt8] {
        let tooLarge = SystemError(operation: .read, path: path, code: EFBIG)
        guard size <= Self.maximumSize else { throw tooLarge }
        var bytes: [UInt8] = []
        while true {
            // One byte more, to detect the end without another call.
            let room = min(max(size - bytes.count, 0) + 1, 1 << 20)
            let piece = try self.bytes(atMost: room)
            if bytes.isEmpty { bytes = piece } else { bytes += piece }
            guard bytes.count <= Self.maximumSize else { throw tooLarge }
            if piece.isEmpty || (piece.count < room && bytes.count == size) { return bytes }
        }
    }

    /// Reads at most this many bytes from the current position.
    package func bytes(atMost count: Int) throws(SystemError) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: count)
        let count = try SystemError.check(.read, path) { read(descriptor, &buffer, buffer.count) }
        buffer.removeSubrange(count...)
        return buffer
    }

    /// Writes all bytes, in as many system calls as necessary.
    func writeAll(_ bytes: [UInt8]) throws(SystemError) {
        var offset = 0
        while offset < bytes.count {
            offset += try SystemError.check(.write, path) {
                bytes.withUnsafeBytes { buffer in
                    let rest = UnsafeRawBufferPointer(rebasing: buffer[offset...])
                    return write(descriptor, rest.baseAddress, rest.count)
                }
            }
        }
    }

    /// Shortens the file to a size. A file that is not longer is left as it is: a needless change would have to be
    /// synced.
    func truncate(to size: Int) throws(SystemError) {
        if try status().st_size > size { try SystemError.check(.write, path) { ftruncate(descriptor, off_t(size)) } }
    }

    /// Waits until the contents of the file are on the disk. This excludes the times of the file.
    package func synchronize() throws(SystemError) {
        #if canImport(Darwin)
            // `fsync` leaves the contents in the drive's cache. Not every file system supports the stronger call.
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
            try SystemError.check(.sync, path) { fsync(descriptor) }
        #else
            try SystemError.check(.sync, path) { fdatasync(descriptor) }
        #endif
    }

    /// Waits until the names in the folder are on the disk. Some file systems neither support nor need this.
    package func synchronizeFolder() throws(SystemError) {
        do {
            try synchronize()
        } catch {
            if error.code != EINVAL && error.code != ENOTSUP { throw error }
        }
    }

    /// Waits for the exclusive lock of the file, and holds it until ``unlock()``, or until the file is closed.
    func lock() throws(SystemError) {
        try SystemError.check(.lock, path) { flock(descriptor, LOCK_EX) }
    }

    /// Takes the exclusive lock of the file if it is free.
    ///
    /// - Returns: Whether this file holds the lock now.
    package func tryLock() throws(SystemError) -> Bool {
        do throws(SystemError) {
            try SystemError.check(.lock, path) { flock(descriptor, LOCK_EX | LOCK_NB) }
            return true
        } catch {
            if error.code == EWOULDBLOCK { return false }
            throw error
        }
    }

    /// Releases the lock. Closing the file does so too, unless a forked process has it open as well.
    func unlock() {
        _ = flock(descriptor, LOCK_UN)
    }

    func setMode(_ mode: mode_t) throws(SystemError) {
        try SystemError.check(.setPermissions, path) { fchmod(descriptor, mode & 0o7777) }
    }

    /// Copies the permissions of another file, and its owner and group as far as the system permits.
    package func copyPermissions(from other: stat) throws(SystemError) {
        let own = try status()
        if other.st_uid != own.st_uid || other.st_gid != own.st_gid {
            try setOwnerAsAllowed(other.st_uid, group: other.st_gid)
        }
        // After the owner: changing the owner clears some permissions.
        if try status().st_mode != other.st_mode { try setMode(other.st_mode) }
    }

    /// Sets the owner and group of the file, as far as the system permits.
    ///
    /// - Throws: ``SystemError`` for other failures than a missing permission, or a file system without owners.
    func setOwnerAsAllowed(_ user: uid_t, group: gid_t) throws(SystemError) {
        for user in [user, uid_t.max] {
            if fchown(descriptor, user, group) == 0 { return }
            guard [EPERM, EINVAL, ENOTSUP, ENOSYS].contains(errno) else {
                throw SystemError(operation: .setOwner, path: path, code: errno)
            }
        }
    }

    /// Copies the extended attributes of another file, as far as the system permits.
    func copyExtendedAttributes(from other: borrowing OpenFile) throws(SystemError) {
        do throws(ExtendedAttributes.Failure) {
            try ExtendedAttributes.copy(from: other.descriptor, to: descriptor)
        } catch {
            throw SystemError(operation: .copyAttributes, path: other.path, code: error.code)
        }
    }

    func hasSameExtendedAttributes(as other: borrowing OpenFile) -> Bool {
        ExtendedAttributes.areEqual(descriptor, other.descriptor)
    }

    /// Makes other processes that open the file wait, unless one has it open already.
    ///
    /// - Returns: Whether the lease was granted; false if the system has no leases.
    func lease() -> Bool {
        #if canImport(Darwin)
            return false
        #else
            return LinuxSystemCalls.shared.lease(descriptor)
        #endif
    }

    /// Whether any process has the file open for writing; nil if the system cannot tell. This descriptor must be open
    /// for reading only.
    func isOpenForWriting() -> Bool? {
        #if canImport(Darwin)
            return nil
        #else
            return LinuxSystemCalls.shared.isOpenForWriting(descriptor)
        #endif
    }

    func endLease() {
        #if !canImport(Darwin)
            LinuxSystemCalls.shared.endLease(descriptor)
        #endif
    }
}
