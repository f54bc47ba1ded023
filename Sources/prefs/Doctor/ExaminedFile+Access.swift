import Foundation
import PreferencesCommandLine
import PreferencesSystem

extension ExaminedFile {
    /// Whether this user can read the file, and a store reads files of its size.
    func isReadable(_ entry: FolderEntry, _ status: stat) -> Bool {
        status.st_mode & S_IFMT == S_IFREG && SystemUser.failure(of: R_OK, entry.path) == 0 && !isTooLarge(status)
    }

    private func isTooLarge(_ status: stat) -> Bool { !isDatabase && status.st_size > OpenFile.maximumSize }

    /// Examines the kind, the owner, the permissions and the size of the file. Findings before an error are added, since
    /// permissions may have been changed.
    func addAccessFindings(_ entry: FolderEntry, _ status: stat, _ findings: inout [Finding]) throws(SystemError) {
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: return findings.append(.directory(entry.path))
        default: return findings.append(.notAFile(entry.path))
        }
        findings += ownAccessFindings(entry, status)
        for ending in endings {
            let file = entry.sibling(entry.name + ending)
            if let status = try file.status(), isSecret || ending.isEmpty {
                findings += foreignAccessFindings(file, status)
            }
        }
        if isTooLarge(status) {
            findings.append(
                Finding(
                    at: entry.path,
                    "is too large: it has \(counted(Int(status.st_size), "byte")), and a store reads at most "
                        + "\(OpenFile.maximumSize)",
                    do: "move it away, or give the store another path"
                )
            )
        }
    }

    /// Examines the access of this user.
    private func ownAccessFindings(_ entry: FolderEntry, _ status: stat) -> [Finding] {
        var findings: [Finding] = []
        let isReadable = SystemUser.failure(of: R_OK, entry.path) == 0
        let writing = isReadOnly ? 0 : SystemUser.failure(of: W_OK, entry.path)
        if writing == EPERM {
            findings.append(
                Finding(
                    at: entry.path,
                    "is protected from changes",
                    do: "see 'lsattr', and remove the protection by 'sudo chattr -i \(entry.path.shellQuoted)'"
                )
            )
        }
        let isWritable = writing != EACCES
        if isReadable, isWritable { return findings + ownerFindings(entry, status) }
        let verb = isReadable ? "written" : isWritable ? "read" : "read or written"
        let bits = (isReadable ? "" : "r") + (isWritable ? "" : "w")
        // A file that is only read, such as a site file, is not this user's.
        let isOfOthers = isReadOnly && !isSecret && status.st_uid != geteuid()
        findings.append(
            Finding(
                at: entry.path,
                "cannot be \(verb) by \(SystemUser.current): \(status.ownerAndPermissions)",
                do: isOfOthers
                    ? "run 'sudo chmod a+r \(entry.path.shellQuoted)'" : status.advice(forAccess: bits, to: entry.path)
            )
        )
        return findings
    }

    private func ownerFindings(_ entry: FolderEntry, _ status: stat) -> [Finding] {
        if isReadOnly || status.st_uid == geteuid() { return [] }
        let owner = SystemUser.name(of: status.st_uid)
        guard geteuid() == 0 else {
            let message = "belongs to \(owner), not to \(SystemUser.current)"
            return [Finding(at: entry.path, message, do: stat.advice(forOwnershipOf: entry.path))]
        }
        let command = "sudo -u \(SystemUser.argument(status.st_uid)) prefs doctor …"
        let advice = "run '\(command)' to examine the access of that user"
        return [Finding(.remark, at: entry.path, "belongs to \(owner)", do: advice)]
    }

    /// Examines the access of other users, and narrows it if the examination fixes what it can.
    func foreignAccessFindings(_ entry: FolderEntry, _ status: stat) -> [Finding] {
        let (bits, message, option, consequence): (mode_t, String, String, String) =
            if isSecret {
                (
                    0o077, "other users have access to the secrets in it", "go=",
                    "replace secrets that they may have read"
                )
            } else {
                (0o002, "any user can change it", "o-w", "")
            }
        guard status.st_mode & bits != 0 else { return [] }
        if fixes, status.canBeChanged {
            do throws(SystemError) {
                try entry.changeModeUnopened { $0.st_mode & 0o7777 & ~bits }
                let permissions = stat.text(ofMode: status.st_mode & ~bits)
                let message = "its permissions are now \(permissions), and were \(status.permissions)"
                return [Finding(.fixed, at: entry.path, message, do: consequence)]
            } catch {
                return [Finding(at: entry.path, error)]
            }
        }
        let command = "\(status.canBeChanged ? "" : "sudo ")chmod \(option) \(entry.path.shellQuoted)"
        return [
            Finding(
                at: entry.path,
                "\(message): its permissions are \(status.permissions)",
                do: "run '\(command)'\(consequence.isEmpty ? "" : ", and \(consequence)")",
                isFixable: status.canBeChanged
            )
        ]
    }
}
