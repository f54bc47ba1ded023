import Foundation

/// What a file has besides its contents that its successors are to have, too.
struct FileAttributes: Equatable {
    private let mode: mode_t
    private var owner: uid_t
    private var group: gid_t
    /// An extended attribute; nil where there is none, or the file system has no such thing.
    private var tag: [UInt8]?

    private static let name = "user.preferences-proof"

    init(of path: String) {
        var status = stat()
        mode = stat(path, &status) == 0 ? status.st_mode : 0
        (owner, group) = (status.st_uid, status.st_gid)
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = Calls.shared?.get(path, Self.name, &bytes, bytes.count) ?? -1
        tag = count < 0 ? nil : Array(bytes.prefix(count))
    }

    /// Whether these are others, though allowed where the system denies owners and extended attributes.
    func areDenied(of others: FileAttributes) -> Bool {
        mode == others.mode && (tag == nil || tag == others.tag)
    }

    /// Gives a file some that it would not have by itself.
    static func mark(_ path: String) throws {
        // Only the superuser may give files away.
        if geteuid() == 0, chown(path, 65_534, 65_534) != 0 { throw SystemFailure(code: errno) }
        guard chmod(path, 0o640) == 0 else { throw SystemFailure(code: errno) }
        let bytes = Array("kept".utf8)
        _ = Calls.shared?.set(path, name, bytes, bytes.count, 0)
    }

    /// What Swift's module of the C library leaves out.
    private struct Calls {
        typealias Get =
            @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeMutablePointer<UInt8>, Int) -> Int
        typealias Set =
            @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafePointer<UInt8>, Int, CInt) -> CInt

        let get: Get
        let set: Set

        static let shared = Calls()

        private init?() {
            guard let get = dlsym(nil, "getxattr"), let set = dlsym(nil, "setxattr") else { return nil }
            self.get = unsafeBitCast(get, to: Get.self)
            self.set = unsafeBitCast(set, to: Set.self)
        }
    }
}
