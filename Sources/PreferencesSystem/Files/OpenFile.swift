/// A file or folder that is open, and closed when this goes out of scope.
package struct OpenFile: ~Copyable {
    package let path: String
    let descriptor: CInt

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: Where it is.
    ///   - flags: As `open(2)` takes them.
    ///   - mode: The permissions of a file that is made.
    package init(_ path: String, _ flags: CInt, mode: mode_t = 0o600) throws(SystemError) {
        try self.init(path, path, in: AT_FDCWD, flags, mode: mode)
    }

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
        try SystemError.check(flags & O_CREAT == 0 ? "open" : "create", path) {
            // A process that reuses a replaced file holds a lease on it for a moment. The system would wait for the lease
            // without a limit, and so for as long as another user likes, who holds one on a file of their own. No call waits
            // for a lease with a limit, so the file is tried every millisecond.
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

    /// The longest wait for a file of which another process has a lease: 2 s.
    private static let leaseTimeout = Duration.seconds(2)

    /// Opens a file, but never as standard input, output or error, which a daemon may have closed: what the program writes
    /// to these would be written into the file. The null device takes their place.
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
            // Closes the file, too.
            dup2(null, descriptor)
            if null > 2 { close(null) }
            // It was created just now, and may have been written to as a standard stream.
            if flags & O_EXCL != 0 { flags = flags & ~O_EXCL | O_TRUNC }
        }
    }

    /// Whether the process could open so many more files just now.
    static func canOpen(_ count: Int) -> Bool {
        let descriptors = (0..<count).map { _ in open("/dev/null", O_RDONLY | O_CLOEXEC) }
        for descriptor in descriptors where descriptor >= 0 { close(descriptor) }
        return descriptors.allSatisfy { $0 >= 0 }
    }

    deinit {
        close(descriptor)
    }

    /// Returns another descriptor of the file, which the caller closes.
    func duplicateDescriptor() throws(SystemError) -> CInt {
        try SystemError.check("open", path) { fcntl(descriptor, F_DUPFD_CLOEXEC, 3) }
    }

    func status() throws(SystemError) -> stat {
        var status = stat()
        try SystemError.check("look at", path) { fstat(descriptor, &status) }
        return status
    }

    /// Of a file that is read or written, in bytes: 1 GiB.
    static let maximumSize = 1 << 30

    /// Reads what is left, in pieces: the size is only what the file says, and a sparse one says much.
    func readToEnd(expecting size: Int) throws(SystemError) -> [UInt8] {
        let tooLarge = SystemError(operation: "read", path: path, code: EFBIG)
        guard size <= Self.maximumSize else { throw tooLarge }
        var bytes: [UInt8] = []
        while true {
            // One byte more, to see the end without another round.
            let room = min(max(size - bytes.count, 0) + 1, 1 << 20)
            let piece = try self.bytes(atMost: room)
            if bytes.isEmpty { bytes = piece } else { bytes += piece }
            guard bytes.count <= Self.maximumSize else { throw tooLarge }
            if piece.isEmpty || (piece.count < room && bytes.count == size) { return bytes }
        }
    }

    /// Reads so many bytes from where it is, or as many as there are.
    package func bytes(atMost count: Int) throws(SystemError) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: count)
        let count = try SystemError.check("read", path) { read(descriptor, &buffer, buffer.count) }
        buffer.removeSubrange(count...)
        return buffer
    }

    /// Writes all bytes, in as many calls as the system wants.
    func write(_ bytes: [UInt8]) throws(SystemError) {
        var offset = 0
        while offset < bytes.count {
            offset += try SystemError.check("write", path) {
                bytes.withUnsafeBytes { buffer in
                    let rest = UnsafeRawBufferPointer(rebasing: buffer[offset...])
                    #if canImport(Darwin)
                        return Darwin.write(descriptor, rest.baseAddress, rest.count)
                    #elseif canImport(Musl)
                        return Musl.write(descriptor, rest.baseAddress, rest.count)
                    #else
                        return Glibc.write(descriptor, rest.baseAddress, rest.count)
                    #endif
                }
            }
        }
    }

    /// Cuts off what is longer. Only that: what has the size already would have to be synced for it all the same.
    func cutOff(after size: Int) throws(SystemError) {
        if try status().st_size > size { try SystemError.check("write", path) { ftruncate(descriptor, off_t(size)) } }
    }

    /// Returns when what was written is on the disk, and can be read there. Of the file's times nothing is said.
    package func synchronize() throws(SystemError) {
        #if canImport(Darwin)
            // There, `fsync` leaves it in the drive's cache. Not every file system has the stronger call.
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
            try SystemError.check("sync", path) { fsync(descriptor) }
        #else
            try SystemError.check("sync", path) { fdatasync(descriptor) }
        #endif
    }

    /// As ``synchronize()``, for a folder. Some file systems have no such thing for folders and need none.
    package func synchronizeFolder() throws(SystemError) {
        do {
            try synchronize()
        } catch {
            if error.code != EINVAL && error.code != ENOTSUP { throw error }
        }
    }

    /// Waits until no other open file has this lock, and keeps it until this one is closed.
    func lock() throws(SystemError) {
        try SystemError.check("lock", path) { flock(descriptor, LOCK_EX) }
    }

    /// Locks the file as ``lock()`` does, if no other open file has this lock.
    ///
    /// - Returns: Whether it is locked now.
    func tryLock() throws(SystemError) -> Bool {
        do throws(SystemError) {
            try SystemError.check("lock", path) { flock(descriptor, LOCK_EX | LOCK_NB) }
            return true
        } catch {
            if error.code == EWOULDBLOCK { return false }
            throw error
        }
    }

    /// Lets others have the lock, as does closing the file, unless a forked process has it open, too.
    func unlock() {
        _ = flock(descriptor, LOCK_UN)
    }

    func setMode(_ mode: mode_t) throws(SystemError) {
        try SystemError.check("set the permissions of", path) { fchmod(descriptor, mode & 0o7777) }
    }

    /// Gives the file the permissions of another, and its owner and group as far as the system lets this process do so.
    package func takeOverPermissions(of other: stat) throws(SystemError) {
        let own = try status()
        if other.st_uid != own.st_uid || other.st_gid != own.st_gid {
            try setOwnerAsAllowed(other.st_uid, group: other.st_gid)
        }
        // After the owner: changing that takes some permissions away.
        if try status().st_mode != other.st_mode { try setMode(other.st_mode) }
    }

    /// Gives the file to another owner and group, as far as the system lets this process do so.
    ///
    /// - Throws: Where that has failed, and not for want of a right or of owners.
    func setOwnerAsAllowed(_ user: uid_t, group: gid_t) throws(SystemError) {
        for user in [user, uid_t.max] {
            if fchown(descriptor, user, group) == 0 { return }
            guard [EPERM, EINVAL, ENOTSUP, ENOSYS].contains(errno) else {
                throw SystemError(operation: "set the owner of", path: path, code: errno)
            }
        }
    }

    /// Takes what is attached to another file, as far as the system lets it.
    func takeOverExtendedAttributes(of other: borrowing OpenFile) throws(SystemError) {
        do throws(ExtendedAttributes.Failure) {
            try ExtendedAttributes.copy(from: other.descriptor, to: descriptor)
        } catch {
            throw SystemError(operation: "copy the extended attributes of", path: other.path, code: error.code)
        }
    }

    func hasSameExtendedAttributes(as other: borrowing OpenFile) -> Bool {
        ExtendedAttributes.areEqual(descriptor, other.descriptor)
    }

    /// Has all wait who open the file from now on, unless somebody has it open.
    ///
    /// - Returns: Whether that is so; false where the system cannot do it.
    func lease() -> Bool {
        #if canImport(Darwin)
            return false
        #else
            return LinuxCalls.shared.lease(descriptor)
        #endif
    }

    /// Whether any program has this file open for writing; nil where the system does not say. This one must be open for
    /// reading alone.
    func isOpenForWriting() -> Bool? {
        #if canImport(Darwin)
            return nil
        #else
            return LinuxCalls.shared.isOpenForWriting(descriptor)
        #endif
    }

    func endLease() {
        #if !canImport(Darwin)
            LinuxCalls.shared.endLease(descriptor)
        #endif
    }
}
