import Dispatch
import PreferencesSystem

extension FileStoreEngine {
    var notifiesAllChanges: Bool { !watcher.mayMissChanges }

    func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        let observation = observers.add(observer)
        // Problems that were reported before are reported to a new observer as well.
        if let fileSystem = state.withLock({ $0.reportedFileSystem }) {
            observer(.problem(PreferenceProblem(fileOf: label, on: fileSystem)))
        }
        // Changes are found by comparison with the contents that were read now. Read before watching begins, since the
        // watcher's thread also reads the file.
        if case .unread = state.withLock({ $0.file }) { readExternalChanges() }
        watchIfObserved()
        if let problem = state.withLock({ $0.file.notifiedProblem }) { observer(.unreadable(problem)) }
        return PreferenceStoreObservation(parts: [observation]) { [weak self] in
            observation.cancel()
            self?.watchIfObserved()
        }
    }

    func watchIfObserved() {
        watcher.startOrStop(isNeeded: { !observers.isEmpty }) { [weak self] isCertain in
            self?.readExternalChanges()
            self?.retryFailedWrites()
            if !isCertain { self?.observers.notify(.everything) }
            self?.reportFileSystem()
        }
    }

    private func reportFileSystem() {
        let fileSystem = watcher.remoteFileSystem
        let isNew = state.withLock { state in
            defer { state.reportedFileSystem = fileSystem }
            return state.reportedFileSystem != fileSystem
        }
        if isNew, let fileSystem { report(PreferenceProblem(fileOf: label, on: fileSystem)) }
    }

    /// Reads the file, and notifies observers of external changes.
    func readExternalChanges() {
        do {
            try notifyingChanges { changes in
                changes.waitsForMissingFile = true
                _ = try readFile(changes)
                if changes.isFileAwaited { readAwaitedFile() }
            }
        } catch {
            notifyFailureLater()
        }
    }

    /// Runs a body that reads or writes the file, and then notifies observers and siblings of the changes that it has
    /// found or made, even if it throws.
    ///
    /// - Parameter writer: The observation of the observer that makes changes in the body, which is not notified of
    ///   them.
    func notifyingChanges(
        by writer: PreferenceStoreObservation? = nil,
        _ body: (_ changes: FileChanges) throws -> Void
    ) rethrows {
        let changes = FileChanges(by: writer)
        defer {
            notify(changes)
            for problem in changes.problems { report(problem) }
            for problem in changes.losses { report(problem, isLimited: false) }
            if changes.hasReplacedFile { notifySiblings() }
        }
        try body(changes)
    }

    private func notify(_ changes: FileChanges) {
        if !changes.names.isEmpty { observers.notify(.names(changes.names)) }
        let writerNames = changes.writerNames.subtracting(changes.names)
        if !writerNames.isEmpty { observers.notify(.names(writerNames), except: changes.writer) }
    }

    func notifyLater(_ changes: FileChanges) {
        guard !changes.names.isEmpty || !changes.problems.isEmpty else { return }
        DispatchQueue.global().async {
            self.notify(changes)
            for problem in changes.problems { self.report(problem) }
        }
    }

    /// Notifies observers that the file cannot be read, if that has not changed after half a second: an editor may be
    /// writing it.
    func notifyFailureLater() {
        guard !observers.isEmpty, !isEnding, let failure = state.withLock({ $0.file.scheduleNotification() }) else {
            return
        }
        DispatchQueue.global().runLater(at: .now() + .milliseconds(500)) { [weak self] in
            guard let self, state.withLock({ $0.file.markNotified(of: failure) }) else { return }
            observers.notify(.unreadable(failure.problem))
        }
    }

    /// Notifies observers of a problem that cannot be thrown; without observers, writes it to standard error.
    ///
    /// - Parameter isLimited: Whether standard error may omit it after many other problems.
    func report(_ problem: PreferenceProblem, isLimited: Bool = true) {
        if observers.isEmpty {
            ProblemLog.write(problem, isLimited: isLimited)
        } else {
            observers.notify(.problem(problem))
        }
    }
}
