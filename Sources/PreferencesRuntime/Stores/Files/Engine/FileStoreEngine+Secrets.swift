import PreferencesSystem
import Synchronization

/// A file that holds secrets, to which only its owner is to have access.
extension FileStoreEngine {
    func protectSecrets() -> [PreferenceProblem] {
        // Pending edits of another thread narrow the file as well, when they are written.
        holdsSecrets.store(true, ordering: .relaxed)
        return restrictAccess(to: file.path).map { [$0] } ?? []
    }

    var areSecrets: Bool { holdsSecrets.load(ordering: .relaxed) }

    /// Removes group and other permissions from a file, if the store holds secrets. Must be called before a read, since a
    /// write keeps the file's permissions, and after a write, which may have replaced another user's file.
    ///
    /// - Parameter path: The store's file, or one that its former contents were moved to.
    /// - Returns: The exposure to report: one that was ended, or that could not be ended and was not reported before.
    func restrictAccess(to path: String) -> PreferenceProblem? {
        guard areSecrets else { return nil }
        let exposure = FileExposure(endingAt: path)
        let problem = exposure.map { PreferenceProblem(exposedFileOf: label, $0) }
        if path != file.path { return problem }
        let isUnreported = reportedExposure.withLock { reported in
            defer { reported = exposure?.isEnded == false ? problem : nil }
            return problem != reported
        }
        return isUnreported ? problem : nil
    }
}
