/// The stores of one process that have one file. What one of them writes the others read before it returns, sooner than
/// the system tells them.
extension FileStore {
    struct Listing {
        weak var store: FileStore?
    }

    private static let all = Locked<[ObjectIdentifier: Listing]>([:])

    func list() {
        Self.all.withLock { $0[ObjectIdentifier(self)] = Listing(store: self) }
    }

    func unlist() {
        Self.all.withLock { $0[ObjectIdentifier(self)] = nil }
    }

    /// Has the others read the file, which was written just now. To be called with no lock held but the file's.
    func tellStoresOfSameFile() {
        let others = Self.all.withLock { all in all.count == 1 ? [] : all.values.compactMap(\.store) }
        guard others.count > 1, let identity = try? FileIdentity.current(file.path) else { return }
        for other in others where other !== self {
            // Of what nobody has read nothing is news. Links lead from many paths to one file.
            if case .unread = other.state.withLock({ $0 }) { continue }
            if (try? FileIdentity.current(other.file.path)) == identity { other.readWhatIsThere() }
        }
    }
}
