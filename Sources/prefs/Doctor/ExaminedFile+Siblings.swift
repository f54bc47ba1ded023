import Foundation
import PreferencesCommandLine
import PreferencesRuntime
import PreferencesSystem

// The files beside a file: copies that were set aside, its lock, and temporary files.

// MARK: - Copies

extension ExaminedFile {
    /// Examines the copies of the file that a store has set aside. Findings before an error are added, since permissions
    /// may have been changed.
    func addCopyFindings(_ entry: FolderEntry, _ findings: inout [Finding]) throws(SystemError) {
        guard SystemUser.failure(of: R_OK, entry.folder.path) == 0 else { return }
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
    }
}

// MARK: - The lock

extension ExaminedFile {
    /// How long a lock may be held without being a finding.
    static let lockTime = Duration.seconds(1)

    /// Examines the lock, and the temporary files while no process holds it, so that none is being written.
    func lockFindings(_ entry: FolderEntry) throws(SystemError) -> [Finding] {
        let lock = entry.lock.path
        switch LockState(ofFile: entry, timeout: Self.lockTime) {
        case .missing, .free: return try temporaryFileFindings(entry)
        case .held(let holders) where holders.isEmpty:
            return [
                Finding(
                    at: lock,
                    "another process has held this lock for more than a second, and no program can write",
                    do: "'sudo fuser -v \(lock.shellQuoted)' shows it"
                )
            ]
        case .held(let holders): return holders.map { Self.finding($0, lock) }
        case .unusable(let error): return [Finding(at: lock, error)]
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
}

// MARK: - Temporary files

/// A temporary file of a store.
private struct ExaminedTemporaryFile {
    let entry: FolderEntry
    let identity: PreferencesSystem.FileIdentity
    let size: String
    /// Whether no process can be using it, if none holds the lock.
    let isOld: Bool

    /// How long a temporary file may exist without being a finding, in seconds.
    static let maximumAge = 3.0

    /// Returns nil if the file is missing, or not a file.
    init?(_ entry: FolderEntry) throws(SystemError) {
        guard let status = try entry.status(), status.st_mode & S_IFMT == S_IFREG else { return nil }
        let age = FileTime.now().map(FileTime(ofChange: status).seconds(until:)) ?? .infinity
        self.entry = entry
        identity = PreferencesSystem.FileIdentity(status)
        size = counted(Int(status.st_size), "byte")
        // The clock may have been set back.
        isOld = !(0..<Self.maximumAge).contains(age)
    }

    /// Whether the file still has its name.
    var isUnchanged: Bool {
        get throws(SystemError) {
            guard let status = try entry.status() else { return false }
            return PreferencesSystem.FileIdentity(status) == identity
        }
    }
}

extension ExaminedFile {
    /// Examines the temporary files, while no process holds the lock, and removes stale ones if the examination fixes what
    /// it can.
    func temporaryFileFindings(_ entry: FolderEntry) throws(SystemError) -> [Finding] {
        guard SystemUser.failure(of: R_OK, entry.folder.path) == 0 else { return [] }
        var files = try temporaryFiles(entry)
        // A process keeps the file that it has replaced for a second or two, to write into it.
        let deadline = ContinuousClock.now + .seconds(ExaminedTemporaryFile.maximumAge)
        while !files.allSatisfy(\.isOld), ContinuousClock.now < deadline {
            // The age of a file changes without a notification.
            usleep(50_000)
            files = try temporaryFiles(entry)
        }
        let stale = files.filter(\.isOld)
        if stale.isEmpty { return [] }
        if fixes { return removalFindings(stale, entry) }
        return stale.map { file in
            Finding(
                at: file.entry.path,
                "is a temporary file that a killed process has left (\(file.size))",
                do: "run 'rm \(file.entry.path.shellQuoted)', or this command with '--fix'",
                isFixable: true
            )
        }
    }

    private func temporaryFiles(_ entry: FolderEntry) throws(SystemError) -> [ExaminedTemporaryFile] {
        var files: [ExaminedTemporaryFile] = []
        for temporary in try entry.temporaryFiles(endings: endings) {
            if let file = try ExaminedTemporaryFile(temporary) { files.append(file) }
        }
        return files
    }

    /// Removes stale files while the store is locked.
    private func removalFindings(_ stale: [ExaminedTemporaryFile], _ entry: FolderEntry) -> [Finding] {
        var findings: [Finding] = []
        do throws(SystemError) {
            let lock = try StoreFile(path: entry.path).lock(FileLockWait(timeout: Self.lockTime))
            for file in stale where try file.isUnchanged {
                file.entry.remove()
                let isGone = try file.entry.status() == nil
                let place = file.entry.path
                findings.append(
                    isGone
                        ? Finding(.fixed, at: place, "was removed: a killed process had left it (\(file.size))")
                        : Finding(at: place, "is a stale temporary file that cannot be removed")
                )
            }
            withExtendedLifetime(lock) {}
        } catch {
            findings.append(Finding(at: entry.lock.path, error))
        }
        return findings
    }
}
