/// The stores of one process that have one file. What one of them writes the others read before it returns, sooner than
/// the system tells them.
extension FileStore {
    private struct Listing {
        weak var store: FileStore?
    }

    private static let all = Locked<[FileKey: [ObjectIdentifier: Listing]]>([:])

    /// Has the others find this one. Before it reads or locks the file: whoever writes that before it is found is read.
    func list() {
        // No weak reference to it can be made where it ends.
        if !isEnding { relist(FileKey.keys(of: file.path)) }
    }

    /// Has the others find this one, and write what they have not written. With no lock held.
    func catchUpWithStoresOfSameFile() {
        list()
        // One that this thread has locked cannot be written by another store.
        if FileLock.isAnyHeldByThisThread { return }
        for store in storesOfSameFile where store.isToBeWrittenSoon { store.writeWhatIsUnwritten() }
    }

    /// Whether there is something unwritten for no other reason than that it was set just now.
    private var isToBeWrittenSoon: Bool {
        state.withLock { !$0.unwritten.isEmpty && $0.unwritten.failureCount == 0 }
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
            for key in keys.subtracting(old) { all[key, default: [:]][id] = Listing(store: self) }
        }
    }

    /// The others.
    var storesOfSameFile: [FileStore] {
        let keys = listedKeys.withLock { $0 }
        let id = ObjectIdentifier(self)
        let stores = Self.all.withLock { all in
            keys.reduce(into: [ObjectIdentifier: FileStore]()) { stores, key in
                for (other, listing) in all[key] ?? [:] where other != id { stores[other] = listing.store }
            }
        }
        return Array(stores.values)
    }

    /// Has the others read the file, which was written just now. The file is not locked by this thread any more, but its
    /// `Preferences` may be writing.
    func tellStoresOfSameFile() {
        for store in storesOfSameFile { store.readWhatAnotherHasWritten() }
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
