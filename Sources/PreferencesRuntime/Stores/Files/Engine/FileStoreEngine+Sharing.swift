import PreferencesSystem
import Synchronization

/// The engines of one process: one for each path and format.
extension FileStoreEngine {
    private struct List {
        var engines: [Key: FileStoreEngine] = [:]
        /// The engines that have read or locked a file, by what it is found by.
        var enginesByFile: [FileKey: SmallArray<FileStoreEngine>] = [:]
    }

    private static let list = Locked(List())

    /// Every engine that has a store, or is writing for the last time.
    static var all: [FileStoreEngine] { list.withLock { Array($0.engines.values) } }

    /// Returns the engine of a path and a format, for one more store, which calls ``release()`` at its end.
    ///
    /// - Parameters:
    ///   - durability: That of the store.
    ///   - editingTime: See ``editingTime``. The first store of an engine decides.
    ///   - watching: What the file is watched with. The first store of an engine decides.
    ///   - protection: Tells whether the file may be protected. The first store of an engine decides.
    static func shared(
        path: String,
        format: FileStore.Format,
        contents: (any StoreFileContents.Type)? = nil,
        durability: FileStore.Durability,
        editingTime: Double,
        watching: FileWatcher.Mechanism,
        protection: DataProtection = .system
    ) -> FileStoreEngine {
        let contents = contents ?? format.contents
        let key = Key(path: path, format: format, contents: ObjectIdentifier(contents))
        let (engine, wasEnding) = list.withLock { list in
            let engine =
                list.engines[key]
                ?? FileStoreEngine(
                    path: path,
                    format: format,
                    contents: contents,
                    editingTime: editingTime,
                    watching: watching,
                    protection: protection
                )
            let wasEnding = list.engines.updateValue(engine, forKey: key) != nil && engine.isEnding
            engine.storeCount.add(1, ordering: .relaxed)
            return (engine, wasEnding)
        }
        followSuspension()
        if durability == .immediate { engine.keepsSpare.store(true, ordering: .relaxed) }
        if wasEnding { engine.resume() }
        return engine
    }

    /// Ends the use by one store. With the last one, everything pending is written, and the engine goes.
    func release() {
        let isLast = Self.list.withLock { _ in storeCount.subtract(1, ordering: .relaxed).newValue == 0 }
        if isLast { finish() }
    }

    /// Writes everything pending for the last time, and leaves the list. While stores are suspended, the engine stays, and
    /// does so when they are resumed.
    func finish() {
        while writeAtEnd() { if StoreSuspension.isSuspended { return } }
        if leaveList(), Self.isOwnProcess { spare.close() }
    }

    /// Removes the engine from the list, so that it is given to no other store.
    ///
    /// - Returns: Whether it was removed, now or before. False where a store has come meanwhile: it was given this engine, and
    ///   reads what is pending.
    func leaveList() -> Bool {
        Self.list.withLock { list in
            guard storeCount.load(ordering: .relaxed) == 0 else { return false }
            if list.engines[key] === self {
                list.engines[key] = nil
                relist([], in: &list)
            }
            return true
        }
    }

    // MARK: - Siblings

    // Engines of one file that have different paths, by links, or different formats. Each has parsed the file for
    // itself. They write at once, and have the others read what they have written.

    /// Lets siblings find this engine. Called before it reads or locks the file: what is written before siblings find it
    /// is then read.
    ///
    /// - Parameter entry: The file that links lead to; nil to find it.
    func listAsSibling(at entry: FolderEntry? = nil) {
        let keys = FileKey.keys(of: file.path, leadingTo: entry ?? (try? FolderEntry(following: file.path)))
        if listedKeys.withLock({ $0 == keys }) { return }
        Self.list.withLock { list in
            // What has ended must not come back to the list.
            if list.engines[key] === self { relist(keys, in: &list) }
        }
    }

    private func relist(_ keys: [FileKey], in list: inout List) {
        let old = listedKeys.withLock { listed in
            defer { listed = keys }
            return listed
        }
        for key in old where !keys.contains(key) {
            let others = list.enginesByFile[key]?.filter { $0 !== self } ?? []
            list.enginesByFile[key] = others.isEmpty ? nil : SmallArray(others)
            for engine in others { engine.noteSiblings(in: list) }
        }
        for key in keys where !old.contains(key) {
            list.enginesByFile[key, default: SmallArray()].append(self)
            for engine in list.enginesByFile[key] ?? SmallArray() where engine !== self {
                engine.noteSiblings(in: list)
            }
        }
        noteSiblings(in: list)
    }

    private func noteSiblings(in list: List) {
        let isAlone = isListedByPlace && listedKeys.withLock { $0 }.allSatisfy { list.enginesByFile[$0]?.count == 1 }
        self.isAlone.store(isAlone, ordering: .sequentiallyConsistent)
    }

    /// Whether siblings find this engine by the place of the file. They cannot while its folder is missing.
    var isListedByPlace: Bool {
        listedKeys.withLock { keys in keys.contains { if case .location = $0 { true } else { false } } }
    }

    var siblings: [FileStoreEngine] {
        if isAlone.load(ordering: .sequentiallyConsistent) { return [] }
        let keys = listedKeys.withLock { $0 }
        return Self.list.withLock { list in
            var siblings: [ObjectIdentifier: FileStoreEngine] = [:]
            for key in keys {
                for engine in list.enginesByFile[key] ?? SmallArray() where engine !== self {
                    siblings[ObjectIdentifier(engine)] = engine
                }
            }
            return Array(siblings.values)
        }
    }

    /// Makes siblings write their pending edits, so that the file has them when it is read. With no lock held.
    ///
    /// Nothing is waited for, as the body of an update may have the file locked: the sibling writes them then, or later,
    /// and notifies this engine.
    func writePendingEditsOfSiblings() {
        listAsSibling()
        for sibling in siblings where sibling.hasFreshEdits {
            // A file that this thread has locked cannot be written by another engine.
            if FileLock.isAnyHeldByThisThread { break }
            try? sibling.writeUnwritten(FileLockWait(timeout: .zero), waitsForThreads: false)
        }
    }

    /// Whether edits are pending for no other reason than that they were made just now.
    private var hasFreshEdits: Bool {
        state.withLock { $0.isOfThisProcess && !$0.unwritten.isEmpty && $0.unwritten.failureCount == 0 }
    }

    /// Makes siblings read the file, which this engine has written. The file is not locked by this thread any more.
    func notifySiblings() {
        for sibling in siblings { sibling.readExternalChanges() }
    }
}
