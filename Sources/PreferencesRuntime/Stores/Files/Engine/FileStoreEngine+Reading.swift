import PreferencesSystem
import Synchronization

/// Reads: pending edits, and below them what is in the file.
extension FileStoreEngine {
    func value(for name: String) throws -> PreferenceValue? {
        if let edit = state.withLock({ $0.unwritten[name] }) { return edit.value }
        return try value(for: name, in: currentContents())
    }

    func value(for name: String, in contents: any StoreFileContents) throws(PreferenceProblem) -> PreferenceValue? {
        do {
            return try contents.value(for: name)
        } catch {
            throw problem(.unsupportedValue, error)
        }
    }

    func names() throws -> Set<String> {
        let contents = try currentContents()
        // Both as they are now: a batch that is written in between is seen whole.
        let (last, unwritten) = state.withLock { ($0.file.lastGood?.contents, $0.unwritten.edits) }
        var names = (last ?? contents).names
        for (name, edit) in unwritten {
            if edit == .remove { names.remove(name) } else { names.insert(name) }
        }
        return names
    }

    func reload() throws {
        if watcher.mayMissChanges { watchIfObserved() }
        try notifyingChanges { changes in _ = try readFile(changes) }
    }

    /// Looks for the file, and has readers know if it has gone.
    ///
    /// - Returns: Whether there is none. Where that cannot be seen, there may be one.
    func findsNoFile() -> Bool {
        var isGone = false
        if (try? file.isMissing()) == true {
            try? notifyingChanges { changes in isGone = try readFile(changes).bytes == nil }
        }
        return isGone
    }

    func currentContents() throws(PreferenceProblem) -> any StoreFileContents {
        if !watcher.mayMissChanges, let snapshot = state.withLock({ $0.file.lastGood }) { return snapshot.contents }
        let changes = FileChanges()
        // The caller may hold locks that observers want.
        defer { notifyLater(changes) }
        do throws(PreferenceProblem) {
            return try readFile(changes).contents
        } catch {
            guard let snapshot = state.withLock({ $0.file.lastGood }) else { throw error }
            tellOfFailureLater()
            return snapshot.contents
        }
    }

    /// Reads the file, and parses it if it is not what was last seen there.
    ///
    /// - Parameter changes: Is given the names whose values were found to be others.
    func readFile(_ changes: FileChanges) throws(PreferenceProblem) -> KnownFile.Snapshot {
        let snapshot = try fileAccess.withLock { _ throws(PreferenceProblem) in try loadWithoutSearch(changes) }
        if let snapshot { return snapshot }
        writePendingEditsOfSiblings()
        return try fileAccess.withLock { _ throws(PreferenceProblem) in try load(changes) }
    }

    /// Reads the file in the usual case: its path has no links, no other engine uses it, and it can be read. The file is opened
    /// without a look at its status first.
    ///
    /// - Returns: The snapshot; nil in any other case, for which ``load(_:)`` is.
    private func loadWithoutSearch(_ changes: FileChanges) throws(PreferenceProblem) -> KnownFile.Snapshot? {
        guard let entry = FolderEntry(inFolderWithoutLinks: file.path) else { return nil }
        listAsSibling(at: entry)
        guard isAlone.load(ordering: .sequentiallyConsistent) else { return nil }
        if let problem = restrictAccess(to: file.path) { changes.problems.append(problem) }
        guard let read = try? entry.read() else { return nil }
        return try parse(read, changes)
    }

    /// Reads the file. With `fileAccess` held.
    func load(_ changes: FileChanges) throws(PreferenceProblem) -> KnownFile.Snapshot {
        if let problem = restrictAccess(to: file.path) { changes.problems.append(problem) }
        let read: (bytes: [UInt8], version: FileVersion)?
        do throws(SystemError) {
            read = try readUnlessProtected()
        } catch {
            let problem = problem(.storeUnreadable, error)
            state.withLock { $0.file.fail(problem) }
            throw problem
        }
        return try parse(read, changes)
    }

    /// Parses what was read, if it is not what was last seen there. With `fileAccess` held.
    ///
    /// The bytes tell, not the file's times: those tick slowly enough for two writes in one tick.
    private func parse(
        _ read: (bytes: [UInt8], version: FileVersion)?,
        _ changes: FileChanges
    ) throws(PreferenceProblem) -> KnownFile.Snapshot {
        let bytes = read?.bytes
        switch state.withLock({ $0.file }) {
        case .read(var snapshot) where snapshot.bytes.hasSameBytes(as: bytes):
            // The same, but put there by somebody else, who may have been killed before it was synced.
            if snapshot.version != read?.version {
                (snapshot.version, snapshot.isDurable) = (read?.version, false)
                state.withLock { $0.file = .read(snapshot) }
            }
            return snapshot
        case .failed(let failure, _) where failure.bytes != nil && failure.bytes.hasSameBytes(as: bytes):
            throw failure.problem
        case .read, .failed, .unread: break
        }
        do {
            if Self.isDatabase(bytes) {
                throw StoreFileSyntaxError(
                    message: "this is a SQLite database, and is left as it is: give the store another file"
                )
            }
            let contents = try bytes.map { try contentsType.init(parsing: $0) } ?? contentsType.init()
            let snapshot = KnownFile.Snapshot(contents: contents, bytes: bytes, version: read?.version)
            remember(snapshot, changes)
            return snapshot
        } catch {
            let problem = problem(.storeMalformed, error)
            state.withLock { $0.file.fail(problem, in: bytes, version: read?.version) }
            throw problem
        }
    }

    /// Reads the file; nil where there is none. A file that is missing while data is protected may be there.
    private func readUnlessProtected() throws(SystemError) -> (bytes: [UInt8], version: FileVersion)? {
        let mayBeProtected = protection.mayBeActive
        do throws(SystemError) {
            if let read = try file.read() { return read }
        } catch {
            guard error.isOpeningRefused, mayBeProtected else { throw error }
        }
        guard mayBeProtected else { return nil }
        // The device may have been unlocked since the file could not be opened.
        guard protection.isActive else { return try file.read() }
        readOnceProtectionEnds()
        throw SystemError(protectedFile: file.path)
    }

    /// Reads the file again after the first unlock, which triggers no file event.
    private func readOnceProtectionEnds() {
        protection.whenItEnds(for: self) { [weak self] in
            guard let self else { return }
            readExternalChanges()
            observers.notify(.everything)
        }
    }

    /// Publishes external changes to readers. With `fileAccess` held.
    private func remember(_ snapshot: KnownFile.Snapshot, _ changes: FileChanges) {
        let old = state.withLock { state in
            defer { state.file = .read(snapshot) }
            return state
        }
        // Asked only now: who observes from here on reads what is new. Of what nobody has read nothing is news.
        if observers.isEmpty { return }
        if case .unread = old.file { return }
        let names = snapshot.contents.namesChanged(since: old.file.lastGood?.contents ?? contentsType.init())
        // What was set since is what readers are given.
        changes.names.formUnion(names.filter { old.unwritten[$0] == nil })
    }

    /// The messages contain nothing of the file, which may hold secrets: a store reports to standard error where nothing
    /// observes it, and does not know then what it is used for.
    func problem(_ code: PreferenceProblem.Code, _ error: any Error) -> PreferenceProblem {
        let (code, key, message): (PreferenceProblem.Code, String?, String) =
            switch error {
            case let error as StoreFileSyntaxError:
                (.storeMalformed, nil, (error.place.map { "\($0): " } ?? "") + error.message)
            case let error as StoreFileValueError: (.unsupportedValue, error.name, error.message)
            case let error as SystemError: (code, nil, error.description)
            default: (code, nil, "it cannot be encoded or decoded (\(type(of: error)))")
            }
        return PreferenceProblem(code, key: key, store: label, message: message, isMessagePublic: true)
    }
}
