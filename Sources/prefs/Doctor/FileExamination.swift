import Foundation
import PreferencesCommandLine
import PreferencesSystem

/// A file of a store, for an examination of it and of the files beside it.
struct ExaminedFile {
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
}

/// The examination of a file, of its folder, and of the files beside it: copies that were set aside, the lock, and
/// temporary files. The contents are not examined.
struct FileExamination {
    private(set) var findings: [Finding] = []
    /// Whether the contents can be read.
    private(set) var isReadable = false
    private(set) var isMissing = false

    init(_ file: ExaminedFile) {
        do throws(SystemError) {
            findings += file.linkFindings()
            let entry = try FolderEntry(following: file.path)
            if let status = try entry.status() {
                isReadable = file.isReadable(entry, status)
                try file.addAccessFindings(entry, status, &findings)
            } else {
                isMissing = true
            }
            findings += file.folderFindings(entry)
            try file.addCopyFindings(entry, &findings)
            if !file.isReadOnly { findings += try file.lockFindings(entry) }
        } catch {
            switch error.code {
            case ENOENT, ENOTDIR:
                isMissing = true
                findings += file.missingFolderFindings()
            case EISDIR: findings.append(.directory(file.path))
            // The folder has been examined.
            case EACCES where !findings.isEmpty: break
            case EACCES:
                let command = "namei -l \(file.path.shellQuoted)"
                findings.append(
                    Finding(
                        at: file.path,
                        error.description,
                        do: "'\(command)' shows the folders that \(SystemUser.current) cannot enter"
                    )
                )
            case EINVAL where error.isNotAFile: findings.append(.notAFile(file.path))
            default: findings.append(Finding(at: file.path, error))
            }
        }
    }
}

extension ExaminedFile {
    /// Examines a link in the place of the file.
    fileprivate func linkFindings() -> [Finding] {
        guard let link = try? FileStatus.current(path, followsLink: false), link.st_mode & S_IFMT == S_IFLNK,
            Self.isMissing(path),
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
        else { return [] }
        return [
            Finding(
                at: path,
                "is a link to \(target), which does not exist",
                do: "restore that file, or remove the link by 'rm \(path.shellQuoted)'; the next write creates the file"
            )
        ]
    }

    static func isMissing(_ path: String) -> Bool { (try? FileStatus.current(path) == nil) ?? false }
}

extension Finding {
    static func directory(_ path: String) -> Finding { inPlaceOfFile(path, "a directory") }

    static func notAFile(_ path: String) -> Finding { inPlaceOfFile(path, "a device, a pipe or a socket") }

    private static func inPlaceOfFile(_ path: String, _ kind: String) -> Finding {
        Finding(at: path, "is \(kind), not a file", do: "move it away, or give the store another path")
    }
}
