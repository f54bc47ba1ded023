import Foundation

/// A condition that prevents a store's access to its file, and that can be created and ended.
protocol StoreCondition {
    /// Whether a store can write nevertheless.
    func isHarmless(to store: ProvenStore) -> Bool
    /// Prepares the process, and returns the folder for the store's file.
    func prepare(_ folder: URL) throws -> URL
    func begin(_ url: URL) throws
    func end(_ url: URL) throws
    /// Makes the folder removable.
    func cleanUp(_ folder: URL)
}

extension StoreCondition {
    func isHarmless(to store: ProvenStore) -> Bool { false }
    func cleanUp(_ folder: URL) {}

    /// Throws the error of a system call that failed.
    func check(_ result: CInt) throws {
        if result != 0 { throw SystemFailure(code: errno) }
    }
}

/// A full disk: a file system of 256 KiB in memory if this process can mount one, otherwise a limit on file sizes.
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

    func cleanUp(_ folder: URL) {
        // The store may still have open files.
        if Self.canMount { _ = umount2(folder.appending(component: "disk").path, CInt(MNT_DETACH)) }
    }

    private func limit(to size: rlim_t) throws {
        var limit = rlimit()
        try check(getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit))
        limit.rlim_cur = min(size, limit.rlim_max)
        try check(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit))
    }
}

/// A process that has reached its limit of open files.
struct NoFileDescriptors: StoreCondition {
    func prepare(_ folder: URL) throws -> URL { folder }

    // No descriptor is low enough, whatever other threads of the process close meanwhile.
    func begin(_ url: URL) throws { try limit { _ in 0 } }

    func end(_ url: URL) throws { try limit { $0 } }

    private func limit(_ size: (_ maximum: rlim_t) -> rlim_t) throws {
        var limit = rlimit()
        try check(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit))
        limit.rlim_cur = size(min(limit.rlim_max, 1_024))
        try check(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit))
    }
}

/// A missing permission. The superuser becomes an ordinary user first, because it has all permissions.
struct DeniedPermission: StoreCondition {
    enum What {
        /// The folder cannot be written.
        case folder
        /// The file cannot be read.
        case file
        /// The file cannot be written. Its folder can, but a store must not replace a read-only file.
        case writing
    }

    private let what: What

    init(_ what: What) {
        self.what = what
    }

    func isHarmless(to store: ProvenStore) -> Bool {
        // An open database is changed in place.
        store.isDatabase
    }

    func prepare(_ folder: URL) throws -> URL {
        try User.becomeOrdinary(owning: folder)
        return folder
    }

    func begin(_ url: URL) throws {
        switch what {
        case .folder: try check(chmod(url.deletingLastPathComponent().path, 0o500))
        case .file: try check(chmod(url.path, 0))
        case .writing: try check(chmod(url.path, 0o400))
        }
    }

    func end(_ url: URL) throws {
        switch what {
        case .folder: try check(chmod(url.deletingLastPathComponent().path, 0o700))
        case .file, .writing: try check(chmod(url.path, 0o600))
        }
    }
}

/// The user of this process.
enum User {
    private static let nobody: uid_t = 65_534

    /// Drops the rights of the superuser permanently.
    ///
    /// - Parameter folder: A folder that the ordinary user will own and can reach.
    static func becomeOrdinary(owning folder: URL) throws {
        guard geteuid() == 0 else { return }
        var parent = folder.deletingLastPathComponent()
        while parent.path.contains("preferences-") {
            guard chmod(parent.path, 0o755) == 0 else { throw SystemFailure(code: errno) }
            parent.deleteLastPathComponent()
        }
        guard chown(folder.path, nobody, nobody) == 0, setgid(nobody) == 0, setuid(nobody) == 0 else {
            throw SystemFailure(code: errno)
        }
    }
}
