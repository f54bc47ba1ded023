/// The engines of one process that have one file. What one of them writes the others read before it returns, sooner than
/// the system tells them.
extension FileStoreEngine {
    private static let all = Locked<[FileKey: [ObjectIdentifier: FileStoreEngine]]>([:])

    /// Those that have a file, or had one.
    static var everyone: [FileStoreEngine] {
        let engines = all.withLock { $0.values.flatMap { Array($0.values) } }
        return Array(Dictionary(engines.map { (ObjectIdentifier($0), $0) }) { first, _ in first }.values)
    }

    /// Has the others find this one. Before it reads or locks the file: whoever writes that before it is found is read.
    func list() {
        if !isEnding { relist(FileKey.keys(of: file.path)) }
    }

    /// Whether others find it whatever they call the file. Not while its folder is missing.
    var isListedByPlace: Bool {
        listedKeys.withLock { keys in keys.contains { if case .place = $0 { true } else { false } } }
    }

    /// Has the others find this one, and write what they have not written. With no lock held.
    func catchUpWithOthers() {
        list()
        // One that this thread has locked cannot be written by another store.
        if FileLock.isAnyHeldByThisThread { return }
        for other in othersOfSameFile where other.isToBeWrittenSoon { other.writeWhatIsUnwritten() }
    }

    /// Whether there is something unwritten for no other reason than that it was set just now.
    private var isToBeWrittenSoon: Bool {
        state.withLock { $0.isOfThisProcess && !$0.unwritten.isEmpty && $0.unwritten.failureCount == 0 }
    }

    func unlist() {
        relist([])
    }

    private func relist(_ keys: Set<FileKey>) {
        let old = listedKeys.withLock { listed in
            defer { listed = keys }
            return listed
        }
        if old == keys { return }
        let id = ObjectIdentifier(self)
        Self.all.withLock { all in
            for key in old.subtracting(keys) {
                all[key]?[id] = nil
                if all[key]?.isEmpty == true { all[key] = nil }
            }
            // Asked with the list at hand: what has ended must not come back to it.
            if isEnding { return }
            for key in keys.subtracting(old) { all[key, default: [:]][id] = self }
        }
    }

    /// The others.
    var othersOfSameFile: [FileStoreEngine] {
        let keys = listedKeys.withLock { $0 }
        var others = Self.all.withLock { all in
            keys.reduce(into: [:]) { others, key in others.merge(all[key] ?? [:]) { first, _ in first } }
        }
        others[ObjectIdentifier(self)] = nil
        return Array(others.values)
    }

    /// Has the others read the file, which was written just now. The file is not locked by this thread any more, but its
    /// `Preferences` may be writing.
    func tellOthers() {
        for other in othersOfSameFile { other.readWhatAnotherHasWritten() }
    }

    private func readWhatAnotherHasWritten() {
        let changes = FileChanges()
        do {
            _ = try readFile(changes)
        } catch {
            tellOfFailureLater()
        }
        // Also what another thread has read before this one, and has not told yet.
        tell(changes, names: untold.withLock { $0.values.reduce(into: []) { $0.formUnion($1) } })
    }
}
