import Foundation
import PreferencesCommandLine
import PreferencesRuntime
import PreferencesSystem

/// An examination of a store's file and of the files beside it: their permissions, the lock, copies that were set aside,
/// temporary files, and the file system. The contents are not examined.
struct FileExamination {
    let path: String
    /// Whether the file has secrets.
    var isSecret = false
    /// Whether the store never writes the file.
    var isReadOnly = false
    /// Whether the file is a SQLite database.
    var isDatabase = false
    /// The endings of the names of files that belong together, such as those of a database.
    var endings = [""]
    /// Whether to remove what is certainly stale, and to repair permissions.
    let fixes: Bool

    private(set) var findings: [Finding] = []
    /// Whether the contents can be read.
    private(set) var isReadable = false
    private(set) var isMissing = false

    init(_ path: String, isSecret: Bool, isReadOnly: Bool, fixes: Bool) {
        (self.path, self.isSecret, self.isReadOnly, self.fixes) = (path, isSecret, isReadOnly, fixes)
    }

    private mutating func add(_ finding: Finding) { findings.append(finding) }

    mutating func run() {
        do throws(SystemError) {
            examineLink()
            let entry = try FolderEntry(following: path)
            try examineFile(entry)
            examineFolder(of: entry)
            try examineCopies(of: entry)
            if !isReadOnly { try examineLock(of: entry) }
        } catch {
            switch error.code {
            case ENOENT, ENOTDIR: examineMissingFolder()
            case EISDIR: add(Self.directory(path))
            // The folder has been examined.
            case EACCES where !findings.isEmpty: break
            case EACCES:
                add(
                    Finding(
                        at: path,
                        "\(error.description)",
                        do: "'namei -l \(path.shellQuoted)' shows the folders that \(SystemUser.current) cannot enter"
                    )
                )
            case EINVAL where error.isNotAFile: add(Self.notAFile(path))
            default: add(Finding(at: path, error))
            }
        }
    }

    private static func directory(_ path: String) -> Finding {
        Finding(at: path, "is a directory, not a file", do: "move it away, or give the store another path")
    }

    private static func notAFile(_ path: String) -> Finding {
        Finding(
            at: path,
            "is a device, a pipe or a socket, not a file",
            do: "move it away, or give the store another path"
        )
    }

    // MARK: - The file

    private mutating func examineLink() {
        guard let link = try? FileStatus.current(path, followsLink: false), link.st_mode & S_IFMT == S_IFLNK,
            Self.isMissing(path),
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
        else { return }
        add(
            Finding(
                at: path,
                "is a link to \(target), which does not exist",
                do:
                    "restore that file, or remove the link by 'rm \(path.shellQuoted)'; the next write creates the file"
            )
        )
    }

    private static func isMissing(_ path: String) -> Bool { (try? FileStatus.current(path) == nil) ?? false }

    private mutating func examineFile(_ entry: FolderEntry) throws(SystemError) {
        guard let status = try entry.status() else {
            isMissing = true
            return
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: return add(Self.directory(entry.path))
        default: return add(Self.notAFile(entry.path))
        }
        if examineAccess(to: entry, status) { examineOwner(of: entry, status) }
        for ending in endings {
            let file = entry.sibling(entry.name + ending)
            if let status = try file.status(), isSecret || ending.isEmpty { examineAccessOfOthers(to: file, status) }
        }
        if !isDatabase, status.st_size > OpenFile.maximumSize {
            isReadable = false
            add(
                Finding(
                    at: entry.path,
                    "is too large: it has \(Self.bytes(Int(status.st_size))), and a store reads at most "
                        + "\(OpenFile.maximumSize)",
                    do: "move it away, or give the store another path"
                )
            )
        }
    }

    /// Returns whether this user has access.
    private mutating func examineAccess(to entry: FolderEntry, _ status: stat) -> Bool {
        isReadable = Self.failure(of: R_OK, entry.path) == 0
        let writing = isReadOnly ? 0 : Self.failure(of: W_OK, entry.path)
        if writing == EPERM {
            add(
                Finding(
                    at: entry.path,
                    "is protected from changes",
                    do: "see 'lsattr', and remove the protection by 'sudo chattr -i \(entry.path.shellQuoted)'"
                )
            )
        }
        let isWritable = writing != EACCES
        if isReadable, isWritable { return true }
        let verb = isReadable ? "written" : isWritable ? "read" : "read or written"
        let bits = (isReadable ? "" : "r") + (isWritable ? "" : "w")
        add(
            Finding(
                at: entry.path,
                "cannot be \(verb) by \(SystemUser.current): its owner is \(SystemUser.name(of: status.st_uid)), and its "
                    + "permissions are \(status.permissions)",
                do: Self.givingAccess(bits, to: entry.path, status)
            )
        )
        return false
    }

    /// Returns the command that gives this user access.
    private static func givingAccess(_ bits: String, to path: String, _ status: stat) -> String {
        status.st_uid == geteuid()
            ? "run 'chmod u+\(bits) \(path.shellQuoted)'"
            : "run 'sudo chown \(SystemUser.argument(geteuid())) \(path.shellQuoted)', or run the program as its owner"
    }

    /// Returns the code of the error of an access by the process's effective user; 0 for none.
    private static func failure(of mode: CInt, _ path: String) -> CInt {
        faccessat(AT_FDCWD, path, mode, AT_EACCESS) == 0 ? 0 : errno
    }

    private mutating func examineOwner(of entry: FolderEntry, _ status: stat) {
        if isReadOnly || status.st_uid == geteuid() { return }
        let owner = SystemUser.name(of: status.st_uid)
        if geteuid() == 0 {
            let sudo = "sudo -u \(SystemUser.argument(status.st_uid)) prefs doctor …"
            add(
                Finding(
                    .remark,
                    at: entry.path,
                    "belongs to \(owner)",
                    do: "run '\(sudo)' to examine the access of that user"
                )
            )
        } else {
            add(
                Finding(
                    at: entry.path,
                    "belongs to \(owner), not to \(SystemUser.current)",
                    do:
                        "run 'sudo chown \(SystemUser.argument(geteuid())) \(entry.path.shellQuoted)', or run the program as "
                        + "its owner"
                )
            )
        }
    }

    private mutating func examineAccessOfOthers(to entry: FolderEntry, _ status: stat) {
        let (bits, message, option, consequence): (mode_t, String, String, String) =
            if isSecret {
                (
                    0o077, "other users have access to the secrets in it", "go=",
                    "replace secrets that they may have read"
                )
            } else {
                (0o002, "any user can change it", "o-w", "")
            }
        guard status.st_mode & bits != 0 else { return }
        let isFixable = [0, status.st_uid].contains(geteuid())
        let wanted = status.st_mode & ~bits
        if fixes, isFixable {
            do throws(SystemError) {
                try entry.changeModeUnopened { $0.st_mode & 0o7777 & ~bits }
                return add(
                    Finding(
                        .fixed,
                        at: entry.path,
                        "its permissions are now \(stat.text(ofMode: wanted)), and were \(status.permissions)",
                        do: consequence
                    )
                )
            } catch {
                return add(Finding(at: entry.path, error))
            }
        }
        let command = "\(isFixable ? "" : "sudo ")chmod \(option) \(entry.path.shellQuoted)"
        add(
            Finding(
                at: entry.path,
                "\(message): its permissions are \(status.permissions)",
                do: "run '\(command)'\(consequence.isEmpty ? "" : ", and \(consequence)")",
                isFixable: isFixable
            )
        )
    }

    // MARK: - The folder and its file system

    /// Examines where a missing folder would be created.
    private mutating func examineMissingFolder() {
        isMissing = true
        if isReadOnly { return }
        var folder = path
        repeat { folder = PreferencesSystem.FilePath(folder).folder } while folder != "/" && Self.isMissing(folder)
        guard let status = try? FileStatus.current(folder) else { return }
        if status.st_mode & S_IFMT != S_IFDIR {
            add(
                Finding(
                    at: path,
                    "cannot be created: \(folder) is not a directory",
                    do: "move it away, or give the store another path"
                )
            )
        } else {
            examineAccess(toFolder: folder, status, "but the first write creates a folder in it")
        }
    }

    private mutating func examineFolder(of entry: FolderEntry) {
        let folder = entry.folder.path
        guard let status = try? FileStatus.current(folder) else { return }
        if !isReadOnly {
            examineAccess(toFolder: folder, status, "but each write creates a file in it, which replaces the old one")
            examineSpace(in: folder, entry)
        }
        if status.st_mode & 0o1002 == 0o002 {
            let isOwn = [0, status.st_uid].contains(geteuid())
            add(
                Finding(
                    at: folder,
                    "any user can replace the files in it: its permissions are \(status.permissions)",
                    do: "run '\(isOwn ? "" : "sudo ")chmod o-w \(folder.shellQuoted)'"
                )
            )
        }
        if let fileSystem = RemoteFileSystem(of: folder) {
            let level = isDatabase ? Finding.Level.problem : .remark
            let consequence =
                isDatabase
                ? "programs on two machines can damage it"
                : "programs are not notified of changes by other machines, and each read reads the file"
            add(
                Finding(
                    level,
                    at: entry.path,
                    "is on a network file system (\(fileSystem.name)): \(consequence)",
                    do: "keep it on a local disk"
                )
            )
        }
        if let limit = WatchLimits.exhausted(by: folder) {
            add(
                Finding(
                    at: entry.path,
                    "cannot be watched: the limit \(limit.name), which is \(limit.value), is reached",
                    do: "end programs that watch files, or raise it by 'sudo sysctl \(limit.name)=NUMBER'"
                )
            )
        }
    }

    private mutating func examineAccess(toFolder folder: String, _ status: stat, _ purpose: String) {
        switch Self.failure(of: R_OK | W_OK | X_OK, folder) {
        case EROFS:
            add(
                Finding(
                    at: folder,
                    "is on a file system that is mounted read-only",
                    do: "mount it for writing, or give the store another path"
                )
            )
        case EACCES, EPERM:
            add(
                Finding(
                    at: folder,
                    "cannot be written by \(SystemUser.current), \(purpose): its owner is "
                        + "\(SystemUser.name(of: status.st_uid)), and its permissions are \(status.permissions)",
                    do: Self.givingAccess("rwx", to: folder, status)
                )
            )
        default: break
        }
    }

    private mutating func examineSpace(in folder: String, _ entry: FolderEntry) {
        var space = statvfs()
        guard statvfs(folder, &space) == 0, space.f_frsize > 0 else { return }
        let block = UInt64(space.f_frsize)
        let free = UInt64(geteuid() == 0 ? space.f_bfree : space.f_bavail) * block
        let size = (try? entry.status()).flatMap { $0 }.map { UInt64($0.st_size) } ?? 0
        // The new contents are written before they replace the old ones.
        let needed = isDatabase ? block : max(block, (size + block - 1) / block * block)
        if free < needed, UInt64(space.f_blocks) > 0 {
            add(
                Finding(
                    at: folder,
                    "has no space for the next write: the file system has \(free) bytes left, and \(needed) are needed",
                    do: "remove files: 'df \(folder.shellQuoted)' shows the file system"
                )
            )
        } else if UInt64(space.f_files) > 0, UInt64(geteuid() == 0 ? space.f_ffree : space.f_favail) == 0 {
            add(
                Finding(
                    at: folder,
                    "has no room for another file: all inodes of the file system are in use",
                    do: "remove files: 'df -i \(folder.shellQuoted)' shows the file system"
                )
            )
        }
    }

    // MARK: - The files beside it

    private mutating func examineCopies(of entry: FolderEntry) throws(SystemError) {
        guard Self.failure(of: R_OK, entry.folder.path) == 0 else { return }
        for copy in try entry.setAsideFiles() {
            guard let status = try copy.entry.status() else { continue }
            if isSecret { examineAccessOfOthers(to: copy.entry, status) }
            let paths = copy.names.map { entry.sibling($0).path }
            var size = 0
            for name in copy.names { size += Int(try entry.sibling(name).status()?.st_size ?? 0) }
            let origin =
                copy.isDamaged
                ? "is a damaged file that was set aside" : "was saved by another program while the file was written,"
            let comparison =
                isDatabase
                ? "read it with 'sqlite3'"
                : "compare it by 'diff \(entry.path.shellQuoted) \(copy.entry.path.shellQuoted)'"
            add(
                Finding(
                    at: copy.entry.path,
                    "\(origin) at \(copy.time) (\(Self.bytes(size)))",
                    do: "\(comparison); then remove it by 'rm \(paths.map(\.shellQuoted).joined(separator: " "))'"
                        + (isDatabase
                            ? ""
                            : ", or put it back by 'mv \(copy.entry.path.shellQuoted) \(entry.path.shellQuoted)'")
                )
            )
        }
    }

    private static func bytes(_ count: Int) -> String { "\(count) byte\(count == 1 ? "" : "s")" }

    /// How long a lock may be held, and a temporary file may exist, without being a finding.
    private static let (lockTime, temporaryTime) = (Duration.seconds(1), 3.0)

    private mutating func examineLock(of entry: FolderEntry) throws(SystemError) {
        switch LockState(ofFile: entry, timeout: Self.lockTime) {
        case .missing, .free: try examineTemporaryFiles(of: entry)
        case .held(let holders):
            if holders.isEmpty {
                add(
                    Finding(
                        at: entry.lock.path,
                        "another process has held this lock for more than a second, and no program can write",
                        do: "'sudo fuser -v \(entry.lock.path.shellQuoted)' shows it"
                    )
                )
            }
            for holder in holders { add(Self.finding(holder, entry.lock.path)) }
        case .unusable(let error):
            add(Finding(at: entry.lock.path, error))
        }
    }

    private static func finding(_ holder: LockHolder, _ lock: String) -> Finding {
        let name = holder.program.isEmpty ? "" : " (\(holder.program))"
        return Finding(
            at: lock,
            "process \(holder.process)\(name)\(holder.isStopped ? ", which is stopped," : "") has held this lock for more "
                + "than a second, and no other program can write",
            do: holder.isStopped
                ? "continue it by 'kill -CONT \(holder.process)', or end it by 'kill -KILL \(holder.process)'"
                : "wait for its end, or end it by 'kill \(holder.process)'; writes fail after 10 s"
        )
    }

    /// Examines temporary files, while no process holds the lock, so that none is being written.
    private mutating func examineTemporaryFiles(of entry: FolderEntry) throws(SystemError) {
        guard Self.failure(of: R_OK, entry.folder.path) == 0 else { return }
        var found = try temporaryFiles(of: entry)
        // A process keeps the file that it has replaced for a second or two, to write into it.
        let deadline = ContinuousClock.now + .seconds(Self.temporaryTime)
        while !found.allSatisfy(\.isOld), ContinuousClock.now < deadline {
            // The age of a file changes without a notification.
            usleep(50_000)
            found = try temporaryFiles(of: entry)
        }
        let stale = found.filter(\.isOld)
        if stale.isEmpty { return }
        if fixes {
            do throws(SystemError) {
                let lock = try StoreFile(path: entry.path).lock(FileLockWait(timeout: Self.lockTime))
                for file in stale where try file.isUnchanged {
                    file.entry.remove()
                    let isGone = try file.entry.status() == nil
                    let size = Self.bytes(file.size)
                    add(
                        isGone
                            ? Finding(
                                .fixed,
                                at: file.entry.path,
                                "was removed: a killed process had left it (\(size))"
                            )
                            : Finding(at: file.entry.path, "is a stale temporary file that cannot be removed")
                    )
                }
                withExtendedLifetime(lock) {}
            } catch {
                add(Finding(at: entry.lock.path, error))
            }
            return
        }
        for file in stale {
            add(
                Finding(
                    at: file.entry.path,
                    "is a temporary file that a killed process has left (\(Self.bytes(file.size)))",
                    do: "run 'rm \(file.entry.path.shellQuoted)', or this command with '--fix'",
                    isFixable: true
                )
            )
        }
    }

    private struct TemporaryFile {
        let entry: FolderEntry
        let identity: PreferencesSystem.FileIdentity
        let size: Int
        /// Whether no process can be using it, if none holds the lock.
        let isOld: Bool

        /// Whether the file still has its name.
        var isUnchanged: Bool {
            get throws(SystemError) {
                guard let status = try entry.status() else { return false }
                return PreferencesSystem.FileIdentity(status) == identity
            }
        }
    }

    private func temporaryFiles(of entry: FolderEntry) throws(SystemError) -> [TemporaryFile] {
        var files: [TemporaryFile] = []
        for temporary in try entry.temporaryFiles(endings: endings) {
            guard let status = try temporary.status(), status.st_mode & S_IFMT == S_IFREG else { continue }
            let age = FileTime.now().map(FileTime(ofChange: status).seconds(until:)) ?? .infinity
            files.append(
                TemporaryFile(
                    entry: temporary,
                    identity: PreferencesSystem.FileIdentity(status),
                    size: Int(status.st_size),
                    // The clock may have been set back.
                    isOld: !(0..<Self.temporaryTime).contains(age)
                )
            )
        }
        return files
    }
}
