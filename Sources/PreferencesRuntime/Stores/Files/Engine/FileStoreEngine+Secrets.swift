import Synchronization

/// A file that holds secrets, to which only its owner is to have access.
extension FileStoreEngine {
    func protectSecrets() -> [PreferenceProblem] {
        // The file may have pending edits of another thread, and is narrowed by their write then, too.
        holdsSecrets.store(true, ordering: .relaxed)
        return restrictAccess(to: file.path).map { [$0] } ?? []
    }

    var areSecrets: Bool { holdsSecrets.load(ordering: .relaxed) }

    /// Takes the access of other users to a file away, if this one holds secrets. Called before it is read, so that a write
    /// has narrow permissions to preserve, and after a write, which may have replaced a file of another user.
    ///
    /// - Parameter path: The file, or one that its former contents were moved to.
    /// - Returns: What to report: an exposure that was ended, or one that could not be and is news.
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
