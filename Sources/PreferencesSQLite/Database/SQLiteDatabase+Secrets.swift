import PreferencesSystem
import PreferencesRuntime
import Synchronization

/// A database that holds secrets, to whose files only their owner is to have access.
extension SQLiteDatabase {
    func protectSecrets() -> [PreferenceProblem] {
        holdsSecrets.store(true, ordering: .relaxed)
        return restrictAccess()
    }

    var areSecrets: Bool { holdsSecrets.load(ordering: .relaxed) }

    /// Removes group and other permissions from the files, if they hold secrets. Called before a write: SQLite creates its
    /// log with the permissions of the database. A new database that replaces a damaged one gets them too.
    ///
    /// - Returns: The exposures to report: those that were ended, and others that were not reported before.
    func restrictAccess() -> [PreferenceProblem] {
        // A path that cannot be followed leads to no database yet.
        guard areSecrets, let files = try? DatabaseFiles(following: path) else { return [] }
        let exposures = [files.path, files.logPath, files.indexPath].compactMap {
            FileExposure(endingAt: $0, isOpenable: false)
        }
        let problems = exposures.map { PreferenceProblem(exposedFileOf: path, $0) }
        let lasting = zip(exposures, problems).filter { !$0.0.isEnded }.map(\.1)
        return reportedExposures.withLock { reported in
            defer { reported = Set(lasting) }
            return problems.filter { !reported.contains($0) }
        }
    }
}
