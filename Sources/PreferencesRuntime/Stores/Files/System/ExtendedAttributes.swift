#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The extended attributes of a file: what people and systems have attached to it, such as tags, labels and access
/// control lists.
enum ExtendedAttributes {
    /// Copies those of one open file to another, as far as file system and permissions allow.
    ///
    /// Those that cannot be copied are left out: they say something about a file, and are not what is in it.
    static func copy(from source: CInt, to target: CInt) {
        for name in names(of: source) ?? [] {
            if let value = value(of: name, source) { set(target, name, value) }
        }
    }

    /// Whether two open files are known to have the same ones.
    static func areEqual(_ file: CInt, _ other: CInt) -> Bool {
        guard let names = names(of: file), let others = Self.names(of: other), Set(names) == Set(others) else {
            return false
        }
        return names.allSatisfy { name in
            let value = value(of: name, file)
            return value != nil && value == Self.value(of: name, other)
        }
    }

    private static func names(of file: CInt) -> [String]? {
        read { list(file, $0, $1) }?.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func value(of name: String, _ file: CInt) -> [UInt8]? {
        read { get(file, name, $0, $1) }
    }

    /// What a call gives that first says how many bytes it has, and then has them put somewhere.
    private static func read(_ call: (UnsafeMutablePointer<UInt8>?, Int) -> Int) -> [UInt8]? {
        // Somebody may attach more between the two calls.
        for _ in 0..<4 {
            let size = call(nil, 0)
            if size <= 0 { return size < 0 ? nil : [] }
            var bytes = [UInt8](repeating: 0, count: size)
            let count = bytes.withUnsafeMutableBufferPointer { call($0.baseAddress, $0.count) }
            if count >= 0 { return Array(bytes.prefix(count)) }
            guard errno == ERANGE else { return nil }
        }
        return nil
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

        private static func set(_ file: CInt, _ name: String, _ value: [UInt8]) {
            _ = fsetxattr(file, name, value, value.count, 0, 0)
        }
    #else
        private static func list(_ file: CInt, _ buffer: UnsafeMutablePointer<UInt8>?, _ size: Int) -> Int {
            LinuxCalls.shared.flistxattr?(file, buffer, size) ?? -1
        }

        private static func get(
            _ file: CInt,
            _ name: String,
            _ buffer: UnsafeMutablePointer<UInt8>?,
            _ size: Int
        ) -> Int {
            LinuxCalls.shared.fgetxattr?(file, name, buffer, size) ?? -1
        }

        private static func set(_ file: CInt, _ name: String, _ value: [UInt8]) {
            _ = LinuxCalls.shared.fsetxattr?(file, name, value, value.count, 0)
        }
    #endif
}
