#if !canImport(Darwin)
    /// The functions of the C library that Swift's module of it leaves out, looked up by name.
    ///
    /// They are nil in a program that is linked statically, which has none to look up: it does without.
    struct LinuxCalls: Sendable {
        static let shared = LinuxCalls()

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
        /// See syscall(2). Its arguments are passed as those of a function without variable arguments are.
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

        /// Opens a folder for nothing but finding files in it, if no part of its path is a link.
        ///
        /// - Returns: Its descriptor; nil if the folder is not opened, as on systems before Linux 5.6.
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
            // A folder must not become a standard stream that a daemon has closed.
            if descriptor >= 0 { close(descriptor) }
            return nil
        }

        /// Exchanges two files of a folder.
        ///
        /// - Returns: Whether that was done; nil where the system cannot. Not every file system can.
        func exchange(_ name: String, _ other: String, in folder: CInt) -> Bool? {
            let exchange: CUnsignedInt = 2  // RENAME_EXCHANGE of linux/fs.h
            return renameat2.map { $0(folder, name, folder, other, exchange) == 0 }
        }

        /// Moves a file of a folder to a name that no file has.
        ///
        /// - Returns: Whether that was done; nil where the system cannot.
        func move(_ name: String, toFreeName other: String, in folder: CInt) -> Bool? {
            let noReplace: CUnsignedInt = 1  // RENAME_NOREPLACE of linux/fs.h
            return renameat2.map { $0(folder, name, folder, other, noReplace) == 0 }
        }

        /// Whether any program has a file open for writing, or mapped so.
        ///
        /// The system gives a lease for reading only of a file that nobody has open for writing: see fcntl(2).
        ///
        /// - Parameter file: Open for reading alone.
        /// - Returns: Nil where the system does not say.
        func isOpenForWriting(_ file: CInt) -> Bool? {
            // As with ``lease(_:)``.
            guard fcntl(file, Self.setSignal, SIGURG) == 0 else { return nil }
            if fcntl(file, Self.setLease, CInt(F_RDLCK)) == 0 {
                endLease(file)
                return false
            }
            return errno == EAGAIN ? true : nil
        }

        /// Asks for a lease, which is to be had only of a file that nobody else has open or mapped, in whatever process, and
        /// has all wait who open it from then on: see fcntl(2). It ends when the file is closed, at the latest.
        ///
        /// - Parameter file: Open for writing.
        /// - Returns: Whether it was given.
        func lease(_ file: CInt) -> Bool {
            // When somebody waits, the system sends a signal: one that nobody minds, not `SIGIO`, which ends programs.
            fcntl(file, Self.setSignal, SIGURG) == 0 && fcntl(file, Self.setLease, CInt(F_WRLCK)) == 0
        }

        func endLease(_ file: CInt) {
            _ = fcntl(file, Self.setLease, CInt(F_UNLCK))
        }

        // The numbers of asm-generic/fcntl.h.
        private static let setSignal: CInt = 10
        private static let setLease: CInt = 1024

        /// `O_PATH` of asm-generic/fcntl.h, which Swift's module of glibc leaves out.
        static let pathOnly: CInt = 0o10_000_000

        /// What statfs(2) calls an overlay, as containers have.
        static let overlayType: UInt32 = 0x794C_7630

        /// The number of the file system that a folder is in, as statfs(2) lists them; nil where it cannot be had.
        func fileSystemType(of folder: String) -> UInt32? {
            // The structure has 120 bytes on x86-64 and arm64. Its first field, a word, is the number.
            var status = [Int](repeating: 0, count: 64)
            guard let statfs, status.withUnsafeMutableBytes({ statfs(folder, $0.baseAddress!) }) == 0 else {
                return nil
            }
            return UInt32(truncatingIfNeeded: status[0])
        }
    }
#endif
