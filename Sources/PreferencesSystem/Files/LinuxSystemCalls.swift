#if !canImport(Darwin)
    /// Functions of the C library that Swift's module of it does not declare, looked up by name.
    ///
    /// They are nil in a statically linked program, which has no symbols to look up.
    struct LinuxSystemCalls: Sendable {
        static let shared = LinuxSystemCalls()

        /// See listxattr(2).
        let flistxattr: (@convention(c) (CInt, UnsafeMutablePointer<UInt8>?, Int) -> Int)?
        /// See getxattr(2).
        let fgetxattr: (@convention(c) (CInt, UnsafePointer<CChar>, UnsafeMutablePointer<UInt8>?, Int) -> Int)?
        /// See setxattr(2).
        let fsetxattr: (@convention(c) (CInt, UnsafePointer<CChar>, UnsafePointer<UInt8>, Int, CInt) -> CInt)?
        /// See renameat2(2).
        private let renameat2:
            (@convention(c) (CInt, UnsafePointer<CChar>, CInt, UnsafePointer<CChar>, CUnsignedInt) -> CInt)?
        /// See statfs(2).
        private let statfs: (@convention(c) (UnsafePointer<CChar>, UnsafeMutableRawPointer) -> CInt)?
        /// See syscall(2). The variable arguments are passed as fixed ones are.
        private let syscall: (@convention(c) (Int, Int, UnsafePointer<CChar>, UnsafeRawPointer, Int) -> Int)?

        private init() {
            func find<Function>(_ name: String) -> Function? {
                dlsym(nil, name).map { unsafeBitCast($0, to: Function.self) }
            }
            flistxattr = find("flistxattr")
            fgetxattr = find("fgetxattr")
            fsetxattr = find("fsetxattr")
            renameat2 = find("renameat2")
            statfs = find("statfs")
            syscall = find("syscall")
        }

        /// Opens a folder only for finding files in it, if no part of its path is a link.
        ///
        /// - Returns: The descriptor; nil if the folder cannot be opened, as on systems before Linux 5.6.
        func openFolder(withoutLinks path: String) -> CInt? {
            guard let syscall else { return nil }
            let openat2 = 437
            let resolveNoSymlinks: UInt64 = 4
            // `struct open_how` of linux/openat2.h: the flags, the mode, and how the path is resolved.
            let how = (UInt64(Self.pathOnly | O_DIRECTORY | O_CLOEXEC), UInt64(0), resolveNoSymlinks)
            let descriptor = withUnsafeBytes(of: how) {
                CInt(truncatingIfNeeded: syscall(openat2, Int(AT_FDCWD), path, $0.baseAddress!, $0.count))
            }
            if descriptor > 2 { return descriptor }
            // It must not take the number of a standard stream that a daemon has closed.
            if descriptor >= 0 { close(descriptor) }
            return nil
        }

        /// How a file is renamed. The numbers are those of linux/fs.h.
        enum RenameMode: CUnsignedInt {
            /// Fails with `EEXIST` if another file has the new name.
            case noReplace = 1
            /// Exchanges two files.
            case exchange = 2
        }

        /// Renames a file within a folder.
        ///
        /// - Returns: Whether it was renamed. If not, `errno` has the reason, which is `ENOSYS` if the system cannot do
        ///   it.
        func rename(_ name: String, to other: String, in folder: CInt, _ mode: RenameMode) -> Bool {
            guard let renameat2 else {
                errno = ENOSYS
                return false
            }
            return renameat2(folder, name, folder, other, mode.rawValue) == 0
        }

        /// Whether any process has a file open, or mapped, for writing.
        ///
        /// The system grants a read lease only if no process has the file open for writing: see fcntl(2).
        ///
        /// - Parameter file: A descriptor that is open for reading only.
        /// - Returns: Nil if the system cannot tell.
        func isOpenForWriting(_ file: CInt) -> Bool? {
            // See `lease(_:)`.
            guard fcntl(file, Self.setSignal, SIGURG) == 0 else { return nil }
            if fcntl(file, Self.setLease, CInt(F_RDLCK)) == 0 {
                endLease(file)
                return false
            }
            return errno == EAGAIN ? true : nil
        }

        /// Requests a write lease, which the system grants only if no process has the file open or mapped otherwise.
        ///
        /// Until the lease ends, at the latest when the file is closed, other processes that open the file wait: see
        /// fcntl(2).
        ///
        /// - Parameter file: A descriptor that is open for writing.
        /// - Returns: Whether the lease was granted.
        func lease(_ file: CInt) -> Bool {
            // The system sends a signal when a process waits: SIGURG, which is ignored by default; SIGIO would end the
            // program.
            fcntl(file, Self.setSignal, SIGURG) == 0 && fcntl(file, Self.setLease, CInt(F_WRLCK)) == 0
        }

        func endLease(_ file: CInt) {
            _ = fcntl(file, Self.setLease, CInt(F_UNLCK))
        }

        // F_SETSIG and F_SETLEASE of asm-generic/fcntl.h.
        private static let setSignal: CInt = 10
        private static let setLease: CInt = 1024

        /// `O_PATH` of asm-generic/fcntl.h, which Swift's module of glibc does not declare.
        static let pathOnly: CInt = 0o10_000_000

        /// The type of overlay file systems, which containers use, in statfs(2).
        static let overlayType: UInt32 = 0x794C_7630

        /// Returns the type of the file system of a folder, a number of statfs(2); nil if it is not available.
        func fileSystemType(of folder: String) -> UInt32? {
            // The structure has 120 bytes on x86-64 and arm64. Its first field, a word, is the type.
            var status = [Int](repeating: 0, count: 64)
            guard let statfs, status.withUnsafeMutableBytes({ statfs(folder, $0.baseAddress!) }) == 0 else {
                return nil
            }
            return UInt32(truncatingIfNeeded: status[0])
        }
    }
#endif
