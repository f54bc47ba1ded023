import Foundation
import PreferencesCommandLine
import PreferencesSystem

extension ExaminedFile {
    /// Examines the place where a missing folder would be created.
    func missingFolderFindings() -> [Finding] {
        if isReadOnly { return [] }
        var folder = path
        repeat { folder = PreferencesSystem.FilePath(folder).folder } while folder != "/" && Self.isMissing(folder)
        guard let status = try? FileStatus.current(folder) else { return [] }
        if status.st_mode & S_IFMT != S_IFDIR {
            let message = "cannot be created: \(folder) is not a directory"
            return [Finding(at: path, message, do: "move it away, or give the store another path")]
        }
        return writingFindings(folder, status, "but the first write creates a folder in it")
    }

    /// Examines the folder, and the file system that it is on.
    func folderFindings(_ entry: FolderEntry) -> [Finding] {
        let folder = entry.folder.path
        guard let status = try? FileStatus.current(folder) else { return [] }
        var findings: [Finding] = []
        if !isReadOnly {
            let purpose = "but each write creates a file in it, which replaces the old one"
            findings += writingFindings(folder, status, purpose) + spaceFindings(folder, entry)
        }
        if status.st_mode & 0o1002 == 0o002 {
            findings.append(
                Finding(
                    at: folder,
                    "any user can replace the files in it: its permissions are \(status.permissions)",
                    do: "run '\(status.canBeChanged ? "" : "sudo ")chmod o-w \(folder.shellQuoted)'"
                )
            )
        }
        if let fileSystem = RemoteFileSystem(of: folder) {
            let consequence =
                isDatabase
                ? "programs on two machines can damage it"
                : "programs are not notified of changes by other machines, and each read reads the file"
            findings.append(
                Finding(
                    isDatabase ? .problem : .remark,
                    at: entry.path,
                    "is on a network file system (\(fileSystem.name)): \(consequence)",
                    do: "keep it on a local disk"
                )
            )
        }
        if let limit = WatchLimits.exhausted(by: folder) {
            findings.append(
                Finding(
                    at: entry.path,
                    "cannot be watched: the limit \(limit.name), which is \(limit.value), is reached",
                    do: "end programs that watch files, or raise it by 'sudo sysctl \(limit.name)=NUMBER'"
                )
            )
        }
        return findings
    }

    /// Examines whether this user can create files in a folder.
    private func writingFindings(_ folder: String, _ status: stat, _ purpose: String) -> [Finding] {
        switch SystemUser.failure(of: R_OK | W_OK | X_OK, folder) {
        case EROFS:
            let message = "is on a file system that is mounted read-only"
            return [Finding(at: folder, message, do: "mount it for writing, or give the store another path")]
        case EACCES, EPERM:
            return [
                Finding(
                    at: folder,
                    "cannot be written by \(SystemUser.current), \(purpose): \(status.ownerAndPermissions)",
                    do: status.advice(forAccess: "rwx", to: folder)
                )
            ]
        default: return []
        }
    }

    /// Examines the space for the next write.
    private func spaceFindings(_ folder: String, _ entry: FolderEntry) -> [Finding] {
        var space = statvfs()
        guard statvfs(folder, &space) == 0, space.f_frsize > 0 else { return [] }
        let block = UInt64(space.f_frsize)
        let free = UInt64(geteuid() == 0 ? space.f_bfree : space.f_bavail) * block
        let size = (try? entry.status()).flatMap { $0 }.map { UInt64($0.st_size) } ?? 0
        // The new contents are written before they replace the old ones.
        let needed = isDatabase ? block : max(block, (size + block - 1) / block * block)
        if free < needed, UInt64(space.f_blocks) > 0 {
            return [
                Finding(
                    at: folder,
                    "has no space for the next write: the file system has \(free) bytes left, and \(needed) are needed",
                    do: "remove files: 'df \(folder.shellQuoted)' shows the file system"
                )
            ]
        }
        if UInt64(space.f_files) > 0, UInt64(geteuid() == 0 ? space.f_ffree : space.f_favail) == 0 {
            return [
                Finding(
                    at: folder,
                    "has no room for another file: all inodes of the file system are in use",
                    do: "remove files: 'df -i \(folder.shellQuoted)' shows the file system"
                )
            ]
        }
        return []
    }
}
