/// The stores of one process that have one file. What one of them writes the others read before it returns, sooner than
/// the system tells them.
extension FileStore {
    private struct Listing {
        weak var store: FileStore?
    }

    private static let all = Locked<[FileKey: [ObjectIdentifier: Listing]]>([:])

    /// Has the others find this one. Before it reads the file: whoever writes that before it is found is read.
    func list() {
        relist(FileKey.keys(of: file.path))
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
            // Not where it ends: no weak reference to it can be made then.
            for key in keys.subtracting(old) { all[key, default: [:]][id] = Listing(store: self) }
        }
    }

    /// Has the others read the file, which was written just now. The file is not locked by this thread any more, but its
    /// `Preferences` may be writing.
    func tellStoresOfSameFile() {
        let keys = listedKeys.withLock { $0 }
        let stores = Self.all.withLock { all in
            keys.reduce(into: [ObjectIdentifier: FileStore]()) { stores, key in
                for (id, listing) in all[key] ?? [:] { stores[id] = listing.store }
            }
        }
        for store in stores.values where store !== self { store.readWhatAnotherHasWritten() }
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
