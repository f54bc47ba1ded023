extension FileStore {
    func currentContents() throws(PreferenceProblem) -> any StoreFileContents {
        if !watcher.isBlind, let snapshot = state.withLock({ $0.lastGood }) { return snapshot.contents }
        let changes = FileChanges()
        // Whoever reads may hold locks of their own, which observers may want.
        defer { tellLater(changes) }
        do throws(PreferenceProblem) {
            return try readFile(changes).contents
        } catch {
            guard let snapshot = state.withLock({ $0.lastGood }) else { throw error }
            tellOfFailureLater()
            return snapshot.contents
        }
    }

    /// Reads the file, and parses it if it is not what was last seen there.
    ///
    /// - Parameter changes: Is given the names whose values were found to be others.
    func readFile(_ changes: FileChanges) throws(PreferenceProblem) -> FileStoreState.Snapshot {
        try fileAccess.withLock { _ throws(PreferenceProblem) in try load(changes) }
    }

    /// As ``readFile(_:)``, with `fileAccess` held.
    ///
    /// The bytes tell, not the file's times: those tick slowly enough for two writes in one tick.
    func load(_ changes: FileChanges) throws(PreferenceProblem) -> FileStoreState.Snapshot {
        list()
        let bytes: [UInt8]?
        do {
            bytes = try file.read()
        } catch {
            throw fail(problem(.storeUnreadable, error), bytes: nil)
        }
        switch state.withLock({ $0 }) {
        case .read(let snapshot) where snapshot.bytes == bytes: return snapshot
        case .failed(let failure, _) where failure.bytes != nil && failure.bytes == bytes: throw failure.problem
        case .read, .failed, .unread: break
        }
        do {
            let contents = try bytes.map { try format.contents.init(parsing: $0) } ?? format.contents.init()
            let snapshot = FileStoreState.Snapshot(contents: contents, bytes: bytes)
            remember(snapshot, changes)
            return snapshot
        } catch {
            throw fail(problem(.storeMalformed, error), bytes: bytes)
        }
    }

    /// Has readers given other contents. With `fileAccess` held.
    func remember(_ snapshot: FileStoreState.Snapshot, _ changes: FileChanges) {
        let old = state.withLock { state in
            defer { state = .read(snapshot) }
            return state
        }
        // Asked only now: who observes from here on reads what is new. Of what nobody has read nothing is news.
        if observers.isEmpty { return }
        if case .unread = old { return }
        let names = snapshot.contents.namesChanged(since: old.lastGood?.contents ?? format.contents.init())
        changes.names.formUnion(names)
        untold.withLock { $0[ObjectIdentifier(changes), default: []].formUnion(names) }
    }

    private func fail(_ problem: PreferenceProblem, bytes: [UInt8]?) -> PreferenceProblem {
        state.withLock { $0.fail(problem, bytes: bytes) }
        return problem
    }

    func problem(_ code: PreferenceProblem.Code, _ error: any Error) -> PreferenceProblem {
        switch error {
        case let error as StoreFileSyntaxError:
            let place = [error.line.map { "line \($0)" }, error.column.map { "column \($0)" }].compactMap { $0 }
            let message = (place.isEmpty ? "" : "\(place.joined(separator: ", ")): ") + error.message
            return PreferenceProblem(.storeMalformed, store: label, message: message)
        case let error as StoreFileValueError:
            return PreferenceProblem(.unsupportedValue, key: error.name, store: label, message: error.message)
        default:
            return PreferenceProblem(code, store: label, message: ErrorText(error).description)
        }
    }
}
