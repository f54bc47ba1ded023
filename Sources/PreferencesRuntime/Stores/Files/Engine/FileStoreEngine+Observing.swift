import PreferencesSystem
import Dispatch

extension FileStoreEngine {
    var notifiesAllChanges: Bool { !watcher.mayMissChanges }

    func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        let observation = observers.add(observer)
        // A later observer is notified of what is wrong as well.
        if let fileSystem = state.withLock({ $0.toldFileSystem }) {
            observer(.problem(PreferenceProblem(fileOf: label, on: fileSystem)))
        }
        // Changes are found by comparison with what is there now. Read before watching begins, for which another thread
        // reads the file as well.
        if case .unread = state.withLock({ $0.file }) { readExternalChanges() }
        watchIfObserved()
        if let problem = state.withLock({ $0.file.toldProblem }) { observer(.unreadable(problem)) }
        return PreferenceStoreObservation(parts: [observation]) { [weak self] in
            observation.cancel()
            self?.watchIfObserved()
        }
    }

    func watchIfObserved() {
        watcher.startOrStop(isNeeded: { !observers.isEmpty }) { [weak self] isCertain in
            self?.readExternalChanges()
            self?.writeWhatFailed()
            if !isCertain { self?.observers.notify(.everything) }
            self?.tellOfFileSystem()
        }
    }

    private func tellOfFileSystem() {
        let fileSystem = watcher.remoteFileSystem
        let isNews = state.withLock { state in
            defer { state.toldFileSystem = fileSystem }
            return state.toldFileSystem != fileSystem
        }
        if isNews, let fileSystem { report(PreferenceProblem(fileOf: label, on: fileSystem)) }
    }

    /// Reads the file, and notifies observers of what has changed.
    func readExternalChanges() {
        do {
            try notifyingChanges { changes in _ = try readFile(changes) }
        } catch {
            tellOfFailureLater()
        }
    }

    /// Runs a body that reads or writes the file, and notifies observers and siblings of the changes that it found or made,
    /// also where it failed.
    ///
    /// - Parameter writer: The observation of the observer that makes changes in the body, which is not notified of them.
    func notifyingChanges(
        by writer: PreferenceStoreObservation? = nil,
        _ body: (_ changes: FileChanges) throws -> Void
    ) rethrows {
        let changes = FileChanges(by: writer)
        defer {
            notify(changes)
            for problem in changes.problems { report(problem) }
            if changes.hasReplacedFile { notifySiblings() }
        }
        try body(changes)
    }

    private func notify(_ changes: FileChanges) {
        if !changes.names.isEmpty { observers.notify(.names(changes.names)) }
        let others = changes.namesOfWriter.subtracting(changes.names)
        if !others.isEmpty { observers.notify(.names(others), except: changes.writer) }
    }

    func notifyLater(_ changes: FileChanges) {
        guard !changes.names.isEmpty || !changes.problems.isEmpty else { return }
        DispatchQueue.global().async {
            self.notify(changes)
            for problem in changes.problems { self.report(problem) }
        }
    }

    /// Notifies observers that the file cannot be read, once it has stayed so for a moment: editors may write it in pieces.
    func tellOfFailureLater() {
        guard !observers.isEmpty, !isEnding, let failure = state.withLock({ $0.file.planTelling() }) else { return }
        DispatchQueue.global().runLater(at: .now() + .milliseconds(500)) { [weak self] in
            guard let self, state.withLock({ $0.file.tell(of: failure) }) else { return }
            observers.notify(.unreadable(failure.problem))
        }
    }

    /// Notifies observers of a problem that cannot be thrown; without observers, writes it to standard error.
    ///
    /// - Parameter isLimited: Whether it may be left out there after many others.
    func report(_ problem: PreferenceProblem, isLimited: Bool = true) {
        if observers.isEmpty {
            ProblemLog.write(problem, isLimited: isLimited)
        } else {
            observers.notify(.problem(problem))
        }
    }
}
