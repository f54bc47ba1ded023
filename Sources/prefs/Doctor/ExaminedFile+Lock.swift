import PreferencesCommandLine
import PreferencesSystem

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
