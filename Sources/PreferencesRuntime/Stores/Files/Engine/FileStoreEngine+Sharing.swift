import PreferencesSystem
import Synchronization

/// The registry of the process's engines: one for each path and format.
extension FileStoreEngine {
    private struct Registry {
        var engines: [Key: FileStoreEngine] = [:]
        /// The engines that have read or locked a file, by the keys of that file.
        var enginesByFileKey: [FileKey: SmallArray<FileStoreEngine>] = [:]
    }

    private static let registry = Locked(Registry())

    /// All engines that have a store, or are making their last write.
    static var all: [FileStoreEngine] { registry.withLock { Array($0.engines.values) } }

    /// Returns the engine of a path and a format for a new store, which calls ``release()`` when it is deallocated.
    ///
    /// - Parameters:
    ///   - durability: The durability of the store.
    ///   - editingTime: See ``editingTime``. The first store of an engine decides.
    ///   - watching: The mechanism that watches the file. The first store of an engine decides.
    ///   - protection: The data protection of the file. The first store of an engine decides.
    static func shared(
        path: String,
        format: FileStore.Format,
        contents: any StoreFileContents.Type,
        durability: FileStore.Durability,
        editingTime: Double,
        watching: FileWatcher.Mechanism,
        protection: DataProtection = .system
    ) -> FileStoreEngine {
        let key = Key(path: path, format: format, contents: ObjectIdentifier(contents))
        let (engine, wasEnding) = registry.withLock { registry in
            let engine =
                registry.engines[key]
                ?? FileStoreEngine(
                    path: path,
                    format: format,
                    contents: contents,
                    editingTime: editingTime,
                    watching: watching,
                    protection: protection
                )
            let wasEnding = registry.engines.updateValue(engine, forKey: key) != nil && engine.isEnding
            engine.storeCount.add(1, ordering: .relaxed)
            return (engine, wasEnding)
        }
        joinSuspension()
        if durability == .immediate { engine.recyclesTemporaryFile.store(true, ordering: .relaxed) }
        if wasEnding { engine.resume() }
        return engine
    }

    /// Ends the use by one store. After the last one, the pending edits are written, and the engine is unregistered.
    func release() {
        let isLast = Self.registry.withLock { _ in storeCount.subtract(1, ordering: .relaxed).newValue == 0 }
        if isLast { finish() }
    }

    /// Makes the last write and unregisters the engine; if stores are suspended, after they are resumed.
    func finish() {
        while writeAtEnd() { if StoreSuspension.isSuspended { return } }
        if unregister(), Self.isOwnProcess { temporaryFile.close() }
    }

    /// Removes the engine from the registry, so that no other store uses it.
    ///
    /// - Returns: Whether it was removed, now or before. False if a store was created meanwhile, which uses this engine
    ///   and its pending edits.
    func unregister() -> Bool {
        Self.registry.withLock { registry in
            guard storeCount.load(ordering: .relaxed) == 0 else { return false }
            if registry.engines[key] === self {
                registry.engines[key] = nil
                setKeys([], in: &registry)
            }
            return true
        }
    }

    // MARK: - Siblings

    // Siblings are engines of one file with different paths, through links, or different formats. Each parses the file
    // itself. They write immediately, and make each other read the changes.

    /// Registers the engine by the keys of its file, so that siblings find it. Called before it reads or locks the
    /// file, so that it reads what siblings have written before they find it.
    ///
    /// - Parameter entry: The file after links are followed; nil to follow them.
    func register(at entry: FolderEntry? = nil) {
        let keys = FileKey.keys(of: file.path, leadingTo: entry ?? (try? FolderEntry(following: file.path)))
        if registeredKeys.withLock({ $0 == keys }) { return }
        Self.registry.withLock { registry in
            // An engine that was unregistered must not return.
            if registry.engines[key] === self { setKeys(keys, in: &registry) }
        }
    }

    private func setKeys(_ keys: [FileKey], in registry: inout Registry) {
        let old = registeredKeys.withLock { listed in
            defer { listed = keys }
            return listed
        }
        for key in old where !keys.contains(key) {
            let remaining = registry.enginesByFileKey[key]?.filter { $0 !== self } ?? []
            registry.enginesByFileKey[key] = remaining.isEmpty ? nil : SmallArray(remaining)
            for engine in remaining { engine.updateHasSiblings(in: registry) }
        }
        for key in keys where !old.contains(key) {
            registry.enginesByFileKey[key, default: SmallArray()].append(self)
            for engine in registry.enginesByFileKey[key] ?? SmallArray() where engine !== self {
                engine.updateHasSiblings(in: registry)
            }
        }
        updateHasSiblings(in: registry)
    }

    private func updateHasSiblings(in registry: Registry) {
        let hasNoSiblings =
            isRegisteredByLocation
            && registeredKeys.withLock { $0 }.allSatisfy { registry.enginesByFileKey[$0]?.count == 1 }
        self.hasNoSiblings.store(hasNoSiblings, ordering: .sequentiallyConsistent)
    }

    /// Whether siblings can find this engine by the location of the file, which they cannot while its folder is
    /// missing.
    var isRegisteredByLocation: Bool {
        registeredKeys.withLock { keys in keys.contains { if case .location = $0 { true } else { false } } }
    }

    var siblings: [FileStoreEngine] {
        if hasNoSiblings.load(ordering: .sequentiallyConsistent) { return [] }
        let keys = registeredKeys.withLock { $0 }
        return Self.registry.withLock { registry in
            var siblings: [ObjectIdentifier: FileStoreEngine] = [:]
            for key in keys {
                for engine in registry.enginesByFileKey[key] ?? SmallArray() where engine !== self {
                    siblings[ObjectIdentifier(engine)] = engine
                }
            }
            return Array(siblings.values)
        }
    }

    /// Makes siblings write their pending edits before this engine reads the file. Call it with no lock held.
    ///
    /// Does not wait, since an update may have locked the file. The sibling then writes its edits later, and notifies
    /// this engine.
    func writePendingEditsOfSiblings() {
        register()
        for sibling in siblings where sibling.hasFreshEdits {
            // Another engine cannot write a file that this thread has locked.
            if FileLock.isAnyHeldByThisThread { break }
            try? sibling.flush(FileLockWait(timeout: .zero), waitsForThreads: false)
        }
    }

    /// Whether edits are pending that have not failed to be written.
    private var hasFreshEdits: Bool {
        state.withLock { $0.isOwnedByThisProcess && !$0.pendingEdits.isEmpty && $0.pendingEdits.failureCount == 0 }
    }

    /// Makes siblings read the file after this engine has written and unlocked it.
    func notifySiblings() {
        for sibling in siblings { sibling.readExternalChanges() }
    }
}
