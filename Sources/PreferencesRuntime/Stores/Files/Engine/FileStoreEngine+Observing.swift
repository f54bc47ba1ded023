import Dispatch

extension FileStoreEngine {
    var tellsAllChanges: Bool { !watcher.isBlind }

    func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        let observation = observers.add(observer)
        // What others were told, this one is told too.
        if let fileSystem = state.withLock({ $0.toldFileSystem }) {
            observer(.problem(PreferenceProblem(fileOf: label, on: fileSystem)))
        }
        // Changes are told against what is there now. Before watching begins, for which another thread looks at the file:
        // the two would be in each other's way.
        if case .unread = state.withLock({ $0.file }) { readWhatIsThere() }
        watchIfObserved()
        if let problem = state.withLock({ $0.file.toldProblem }) { observer(.unreadable(problem)) }
        return PreferenceStoreObservation { [weak self] in
            observation.cancel()
            self?.watchIfObserved()
        }
    }

    func watchIfObserved() {
        watcher.startOrStop(isNeeded: { !observers.isEmpty }) { [weak self] isCertain in
            self?.readWhatIsThere()
            self?.writeWhatFailed()
            if !isCertain { self?.observers.notify(.everything) }
            self?.tellOfFileSystem()
        }
    }

    private func tellOfFileSystem() {
        let fileSystem = watcher.fileSystem
        let isNews = state.withLock { state in
            defer { state.toldFileSystem = fileSystem }
            return state.toldFileSystem != fileSystem
        }
        if isNews, let fileSystem { report(PreferenceProblem(fileOf: label, on: fileSystem)) }
    }

    /// Reads what others have written.
    private func readWhatIsThere() {
        do {
            try tellingChanges { changes in _ = try readFile(changes) }
        } catch {
            tellOfFailureLater()
        }
    }

    /// Runs a body that reads or writes the file, and tells of the changes that it found or made, also where it failed.
    func tellingChanges(_ body: (_ changes: FileChanges) throws -> Void) rethrows {
        let changes = FileChanges()
        defer {
            tell(changes, names: changes.names)
            for problem in changes.problems { report(problem) }
            if changes.hasReplacedFile { tellOthers() }
        }
        try body(changes)
    }

    func tell(_ changes: FileChanges, names: Set<String>) {
        if !names.isEmpty { observers.notify(.names(names)) }
        untold.withLock { $0[ObjectIdentifier(changes)] = nil }
    }

    func tellLater(_ changes: FileChanges) {
        guard !changes.names.isEmpty else { return }
        DispatchQueue.global().async { self.tell(changes, names: changes.names) }
    }

    /// Tells observers that the file cannot be read, once it has stayed so for a moment: editors may write it in pieces.
    func tellOfFailureLater() {
        guard !observers.isEmpty, !isEnding, let failure = state.withLock({ $0.file.planTelling() }) else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(500)) { [weak self] in
            guard let self, state.withLock({ $0.file.tell(of: failure) }) else { return }
            observers.notify(.unreadable(failure.problem))
        }
    }

    /// Tells observers of what nothing can be thrown for; where nobody listens, whoever reads standard error.
    func report(_ problem: PreferenceProblem) {
        if observers.isEmpty {
            ProblemLog.write(problem)
        } else {
            observers.notify(.problem(problem))
        }
    }
}
