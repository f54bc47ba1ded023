import Foundation

/// The state of a path, to detect changes: the bytes of a file, or its type.
enum FileSnapshot: Equatable {
    case nothing
    case bytes(Data)
    /// A link, a folder, a pipe, or a file that is too large to compare.
    case other(mode: mode_t, size: Int64)

    init(at path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            self = .nothing
            return
        }
        let size = Int64(status.st_size)
        if status.st_mode & S_IFMT == S_IFREG, size < 1 << 30, let data = FileManager.default.contents(atPath: path) {
            self = .bytes(data)
        } else {
            self = .other(mode: status.st_mode, size: status.st_mode & S_IFMT == S_IFDIR ? 0 : size)
        }
    }

    /// Whether the file begins like one of `FileStore`, which `SQLiteStore` does not replace.
    var isText: Bool {
        guard case .bytes(let bytes) = self else { return false }
        let start = bytes.drop { " \t\r\n".utf8.contains($0) }
        return ["{", "<?xml", "<plist", "bplist"].contains { start.starts(with: $0.utf8) }
    }
}

/// The modification time of a file.
enum FileAge {
    /// Sets the modification time to ten seconds ago, because a store does not replace a file that was just changed: an
    /// editor may be writing it.
    static func makeOld(_ url: URL) {
        let then = timespec(tv_sec: time(nil) - 10, tv_nsec: 0)
        // Errors for other things than files do not matter.
        _ = utimensat(AT_FDCWD, url.path, [then, then], 0)
    }
}

/// The metadata of a file that a new version of it must preserve.
struct FileAttributes: Equatable {
    private let mode: mode_t
    private var owner: uid_t
    private var group: gid_t
    /// An extended attribute; nil if it is missing or unsupported by the file system.
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

    /// Whether the metadata differs only in what the system may deny: owners and extended attributes.
    func differOnlyAsDenied(from others: FileAttributes) -> Bool {
        mode == others.mode && (tag == nil || tag == others.tag)
    }

    /// Sets unusual metadata.
    static func mark(_ path: String) throws {
        // Only the superuser may give files away.
        if geteuid() == 0, chown(path, 65_534, 65_534) != 0 { throw SystemFailure(code: errno) }
        guard chmod(path, 0o640) == 0 else { throw SystemFailure(code: errno) }
        let bytes = Array("kept".utf8)
        _ = Calls.shared?.set(path, name, bytes, bytes.count, 0)
    }

    /// Functions that Swift's module of the C library does not declare.
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
