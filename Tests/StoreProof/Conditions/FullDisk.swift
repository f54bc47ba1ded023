import Foundation

/// A disk without room: a file system of 256 KiB in memory that is filled, where this process may mount one; else a limit
/// on the size of files.
struct FullDisk: StoreCondition {
    static let canMount = geteuid() == 0 && canMountHere()
    static let name = canMount ? "a full disk (tmpfs of 256 KiB)" : "a full disk (RLIMIT_FSIZE)"

    private static func canMountHere() -> Bool {
        let path = FileManager.default.temporaryDirectory.appending(component: "preferences-mount-\(getpid())").path
        guard mkdir(path, 0o700) == 0 else { return false }
        defer { rmdir(path) }
        return mount("none", path, "tmpfs", 0, "size=256k") == 0 && umount(path) == 0
    }

    private func filling(_ url: URL) -> URL { url.deletingLastPathComponent().appending(component: "filling") }

    func prepare(_ folder: URL) throws -> URL {
        guard Self.canMount else { return folder }
        let disk = folder.appending(component: "disk", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: disk, withIntermediateDirectories: false)
        try check(mount("none", disk.path, "tmpfs", 0, "size=256k"))
        return disk
    }

    func begin(_ url: URL) throws {
        guard Self.canMount else {
            signal(SIGXFSZ, SIG_IGN)
            return try limit(to: 8)
        }
        let file = open(filling(url).path, O_WRONLY | O_CREAT, 0o600)
        guard file >= 0 else { throw SystemFailure(code: errno) }
        defer { close(file) }
        let bytes = [UInt8](repeating: 0, count: 4_096)
        while write(file, bytes, bytes.count) > 0 {}
        guard errno == ENOSPC else { throw SystemFailure(code: errno) }
    }

    func end(_ url: URL) throws {
        if Self.canMount { try check(unlink(filling(url).path)) } else { try limit(to: .max) }
    }

    func clear(_ folder: URL) {
        // Still in use, perhaps, by what the store has open.
        if Self.canMount { _ = umount2(folder.appending(component: "disk").path, CInt(MNT_DETACH)) }
    }

    private func limit(to size: rlim_t) throws {
        var limit = rlimit()
        try check(getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit))
        limit.rlim_cur = min(size, limit.rlim_max)
        try check(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit))
    }
}
