import Dispatch

extension FileStore {
    /// True, unless the system cannot watch the file: a user may watch so many files and no more (on Linux
    /// `fs.inotify.max_user_watches`), and a folder must be readable for that.
    ///
    /// When it becomes another, observers are told of everything. While it is false each read reads the file; the next
    /// ``observe(_:)`` and ``reload()`` try to watch it again.
    public var tellsAllChanges: Bool { !watcher.isBlind }

    /// Has an observer told of changes after they were made: of those made through this store, and through others of this
    /// process that have the same file, before they return; of those made by others as soon as the system tells of them,
    /// on another thread.
    ///
    /// A file that cannot be read any more is told as ``PreferenceStoreChange/unreadable(_:)`` when it has been so for
    /// half a second: until it is mended, readers are given what was there before. ``PreferenceStoreChange/problem(_:)``
    /// is told where what was set could not be written yet, and where a damaged file was set aside; without observers that
    /// goes to standard error.
    ///
    /// Of what the closure of ``update(_:)`` writes observers are told at once, although the file is locked then: it
    /// reads it, too.
    ///
    /// - Parameter observer: Is given the names whose values are others now, `.everything` where changes may have been
    ///   missed, `.unreadable` or `.problem`.
    public func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        let observation = observers.add(observer)
        watchIfObserved()
        // Changes are told against what is there now.
        if case .unread = state.withLock({ $0.file }) { readWhatIsThere() }
        if let problem = state.withLock({ $0.file.toldProblem }) { observer(.unreadable(problem)) }
        return PreferenceStoreObservation { [weak self] in
            observation.cancel()
            self?.watchIfObserved()
        }
    }

    func watchIfObserved() {
        watcher.startOrStop(isNeeded: { !observers.isEmpty }) { [weak self] isCertain in
            self?.readWhatIsThere()
            if !isCertain { self?.observers.notify(.everything) }
        }
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
            if changes.hasReplacedFile { tellStoresOfSameFile() }
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
            StandardError.writeLine("preferences: \(problem)")
        } else {
            observers.notify(.problem(problem))
        }
    }
}
