import Foundation
import PreferencesCommandLine
import PreferencesSystem

extension ExaminedFile {
    /// Examines the copies of the file that a store has set aside.
    func copyFindings(_ entry: FolderEntry) throws(SystemError) -> [Finding] {
        guard SystemUser.failure(of: R_OK, entry.folder.path) == 0 else { return [] }
        var findings: [Finding] = []
        for copy in try entry.setAsideFiles() {
            guard let status = try copy.entry.status() else { continue }
            if isSecret { findings += foreignAccessFindings(copy.entry, status) }
            let files = copy.names.map(entry.sibling)
            var size = 0
            for file in files { size += Int(try file.status()?.st_size ?? 0) }
            let origin =
                copy.isDamaged
                ? "is a damaged file that was set aside" : "was saved by another program while the file was written,"
            let removal = "then remove it by 'rm \(files.map(\.path.shellQuoted).joined(separator: " "))'"
            let (own, other) = (entry.path.shellQuoted, copy.entry.path.shellQuoted)
            findings.append(
                Finding(
                    at: copy.entry.path,
                    "\(origin) at \(copy.time) (\(counted(size, "byte")))",
                    do: isDatabase
                        ? "read it with 'sqlite3'; \(removal)"
                        : "compare it by 'diff \(own) \(other)'; \(removal), or put it back by 'mv \(other) \(own)'"
                )
            )
        }
        return findings
    }
}
