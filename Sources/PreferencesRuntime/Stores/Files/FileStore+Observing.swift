import Dispatch

extension FileStore {
    /// True, unless the system cannot watch the file: a user may watch so many files and no more (on Linux
    /// `fs.inotify.max_user_watches`), and a folder must be readable for that.
    ///
    /// When it becomes another, observers are told of everything. While it is false each read reads the file; the next
    /// ``observe(_:)`` and ``reload()`` try to watch it again.
    public var tellsAllChanges: Bool { !watcher.isBlind }

    /// Has an observer told of changes after they were made: of those made through this store before it returns, and of
    /// those made by others as soon as the system tells of them, on another thread.
    ///
    /// A file that cannot be read as its format is no change, as readers are still given what was there before. Of what
    /// the closure of ``update(_:)`` writes observers are told at once, although the file is locked then: it reads it,
    /// too.
    ///
    /// - Parameter observer: Is given the names whose values are others now, or `.everything` where changes may have
    ///   been missed.
    public func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        let observation = observers.add(observer)
        watchIfObserved()
        // Changes are told against what is there now.
        if case .unread = state.withLock({ $0 }) { readWhatIsThere() }
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

    /// Reads what others have written. A file that cannot be read is a problem of those who write it or read it again.
    private func readWhatIsThere() {
        try? tellingChanges { changes in _ = try readFile(&changes) }
    }

    /// Runs a body that reads or writes the file, and tells of the changes that it found or made, also where it failed.
    func tellingChanges(_ body: (_ changes: inout Set<String>) throws -> Void) rethrows {
        var changes: Set<String> = []
        defer { if !changes.isEmpty { observers.notify(.names(changes)) } }
        try body(&changes)
    }

    func tellChangesLater(_ changes: Set<String>) {
        guard !changes.isEmpty else { return }
        DispatchQueue.global().async { [observers] in observers.notify(.names(changes)) }
    }
}
