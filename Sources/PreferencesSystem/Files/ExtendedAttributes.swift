/// The extended attributes of a file, such as tags, labels and access control lists.
enum ExtendedAttributes {
    /// Copies the attributes of one open file to another, as far as the file system and permissions allow.
    ///
    /// Attributes that cannot be copied are left out, since they are not part of the contents.
    ///
    /// - Throws: ``Failure`` if it is transient, such as a full disk: the attributes would be lost without need.
    static func copy(from source: CInt, to target: CInt) throws(Failure) {
        do throws(Failure) {
            for name in try names(of: source) {
                do throws(Failure) {
                    try set(target, name, value(of: name, source))
                } catch {
                    if error.isTransient { throw error }
                }
            }
        } catch {
            if error.isTransient { throw error }
        }
    }

    /// Whether two open files have the same attributes; false if they cannot be read.
    static func areEqual(_ file: CInt, _ other: CInt) -> Bool {
        do throws(Failure) {
            let names = try names(of: file)
            guard try Set(names) == Set(Self.names(of: other)) else { return false }
            for name in names where try value(of: name, file) != value(of: name, other) { return false }
            return true
        } catch {
            return false
        }
    }

    /// A failed system call.
    struct Failure: Error {
        /// The value of `errno`.
        let code: CInt

        /// Whether the call may succeed later: the disk failed or is full, or there was no memory.
        fileprivate var isTransient: Bool { [EIO, ENOMEM, ENOSPC, EDQUOT].contains(code) }
    }

    private static func names(of file: CInt) throws(Failure) -> [String] {
        try read { list(file, $0, $1) }.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func value(of name: String, _ file: CInt) throws(Failure) -> [UInt8] {
        try read { get(file, name, $0, $1) }
    }

    /// Returns the bytes of a call that reports their number for no buffer, and otherwise copies them.
    private static func read(_ call: (UnsafeMutablePointer<UInt8>?, Int) -> Int) throws(Failure) -> [UInt8] {
        // Another process may add attributes between the two calls.
        for _ in 0..<4 {
            let size = call(nil, 0)
            if size == 0 { return [] }
            guard size > 0 else { throw Failure(code: errno) }
            var bytes = [UInt8](repeating: 0, count: size)
            let count = bytes.withUnsafeMutableBufferPointer { call($0.baseAddress, $0.count) }
            if count >= 0 { return Array(bytes.prefix(count)) }
            guard errno == ERANGE else { throw Failure(code: errno) }
        }
        throw Failure(code: ERANGE)
    }

    private static func set(_ file: CInt, _ name: String, _ value: [UInt8]) throws(Failure) {
        guard put(file, name, value) == 0 else { throw Failure(code: errno) }
    }

    #if canImport(Darwin)
        private static func list(_ file: CInt, _ buffer: UnsafeMutablePointer<UInt8>?, _ size: Int) -> Int {
            flistxattr(file, buffer.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: CChar.self) }, size, 0)
        }

        private static func get(
            _ file: CInt,
            _ name: String,
            _ buffer: UnsafeMutablePointer<UInt8>?,
            _ size: Int
        ) -> Int {
            fgetxattr(file, name, buffer, size, 0, 0)
        }

        private static func put(_ file: CInt, _ name: String, _ value: [UInt8]) -> CInt {
            fsetxattr(file, name, value, value.count, 0, 0)
        }
    #else
        private static func list(_ file: CInt, _ buffer: UnsafeMutablePointer<UInt8>?, _ size: Int) -> Int {
            LinuxSystemCalls.shared.flistxattr?(file, buffer, size) ?? 0
        }

        private static func get(
            _ file: CInt,
            _ name: String,
            _ buffer: UnsafeMutablePointer<UInt8>?,
            _ size: Int
        ) -> Int {
            LinuxSystemCalls.shared.fgetxattr?(file, name, buffer, size) ?? 0
        }

        private static func put(_ file: CInt, _ name: String, _ value: [UInt8]) -> CInt {
            LinuxSystemCalls.shared.fsetxattr?(file, name, value, value.count, 0) ?? 0
        }
    #endif
}
