#if !canImport(Darwin)
    #if canImport(Musl)
        import Musl
    #else
        import Glibc
    #endif

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
        /// See statfs(2).
        private let statfs: (@convention(c) (UnsafePointer<CChar>, UnsafeMutableRawPointer) -> CInt)?

        private init() {
            func find<Function>(_ name: String) -> Function? {
                dlsym(nil, name).map { unsafeBitCast($0, to: Function.self) }
            }
            flistxattr = find("flistxattr")
            fgetxattr = find("fgetxattr")
            fsetxattr = find("fsetxattr")
            statfs = find("statfs")
        }

        /// The number of the file system that a folder is in, as statfs(2) lists them; nil where it cannot be had.
        func fileSystemType(of folder: String) -> UInt32? {
            // The structure has 120 bytes on all 64-bit architectures. Its first field, a word, is the number.
            var status = [Int](repeating: 0, count: 64)
            guard let statfs, status.withUnsafeMutableBytes({ statfs(folder, $0.baseAddress!) }) == 0 else {
                return nil
            }
            return UInt32(truncatingIfNeeded: status[0])
        }
    }
#endif
