import Synchronization

/// A file that holds secrets, to which only its owner is to have access.
extension FileStoreEngine {
    func protectSecrets() -> [PreferenceProblem] {
        // Pending edits of another thread narrow the file as well, when they are written.
        holdsSecrets.store(true, ordering: .relaxed)
        return restrictAccess(to: file.path).map { [$0] } ?? []
    }

    var areSecrets: Bool { holdsSecrets.load(ordering: .relaxed) }

    /// Removes group and other permissions from a file, if the store holds secrets. Called before a read, as a write keeps
    /// the permissions of the file, and after a write, which may have replaced a file of another user.
    ///
    /// - Parameter path: The store's file, or one that its former contents were moved to.
    /// - Returns: The exposure to report: one that was ended, or one that could not be and is new.
    func restrictAccess(to path: String) -> PreferenceProblem? {
        guard areSecrets else { return nil }
        let exposure = FileExposure(endingAt: path)
        let problem = exposure?.problem(in: label)
        if path != file.path { return problem }
        let isNews = reportedExposure.withLock { reported in
            defer { reported = exposure?.isEnded == false ? problem : nil }
            return problem != reported
        }
        return isNews ? problem : nil
    }
}
