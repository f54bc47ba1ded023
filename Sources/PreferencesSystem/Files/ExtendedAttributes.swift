/// The extended attributes of a file: what people and systems have attached to it, such as tags, labels and access
/// control lists.
enum ExtendedAttributes {
    /// Copies those of one open file to another, as far as file system and permissions allow.
    ///
    /// Those that cannot be copied are left out: they say something about a file, and are not what is in it.
    ///
    /// - Throws: Where that may be another the next time, and they would be lost for it: a full disk, one that fails.
    static func copy(from source: CInt, to target: CInt) throws(Failure) {
        do throws(Failure) {
            for name in try names(of: source) {
                do throws(Failure) {
                    try set(target, name, value(of: name, source))
                } catch {
                    if error.isPassing { throw error }
                }
            }
        } catch {
            if error.isPassing { throw error }
        }
    }

    /// Whether two open files are known to have the same ones.
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

    /// A call that failed.
    struct Failure: Error {
        /// The value of `errno`.
        let code: CInt

        /// Whether it may succeed the next time: the disk has failed or is full, or there is no memory.
        fileprivate var isPassing: Bool { [EIO, ENOMEM, ENOSPC, EDQUOT].contains(code) }
    }

    private static func names(of file: CInt) throws(Failure) -> [String] {
        try read { list(file, $0, $1) }.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func value(of name: String, _ file: CInt) throws(Failure) -> [UInt8] {
        try read { get(file, name, $0, $1) }
    }

    /// What a call gives that first says how many bytes it has, and then has them put somewhere.
    private static func read(_ call: (UnsafeMutablePointer<UInt8>?, Int) -> Int) throws(Failure) -> [UInt8] {
        // Somebody may attach more between the two calls.
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
            LinuxCalls.shared.flistxattr?(file, buffer, size) ?? 0
        }

        private static func get(
            _ file: CInt,
            _ name: String,
            _ buffer: UnsafeMutablePointer<UInt8>?,
            _ size: Int
        ) -> Int {
            LinuxCalls.shared.fgetxattr?(file, name, buffer, size) ?? 0
        }

        private static func put(_ file: CInt, _ name: String, _ value: [UInt8]) -> CInt {
            LinuxCalls.shared.fsetxattr?(file, name, value, value.count, 0) ?? 0
        }
    #endif
}
