import Dispatch
import PreferencesSystem
import Synchronization

/// Reads: pending edits take precedence over the contents of the file.
extension FileStoreEngine {
    func value(for name: String) throws -> PreferenceValue? {
        if let edit = state.withLock({ $0.pendingEdits[name] }) { return edit.value }
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
        // Taken together, so that a batch that is written meanwhile is seen as a whole.
        let (last, pendingEdits) = state.withLock { ($0.file.lastGood?.contents, $0.pendingEdits.edits) }
        var names = (last ?? contents).names
        for (name, edit) in pendingEdits {
            if edit == .remove { names.remove(name) } else { names.insert(name) }
        }
        return names
    }

    func reload() throws {
        if watcher.mayMissChanges { watchIfObserved() }
        try notifyingChanges { changes in _ = try readFile(changes) }
    }

    /// Returns whether the file is missing, and publishes its removal to reads. False if that cannot be determined.
    func isFileMissing() -> Bool {
        var isMissing = false
        waitForMissingFile()
        if (try? file.isMissing()) == true {
            try? notifyingChanges { changes in isMissing = try readFile(changes).bytes == nil }
        }
        return isMissing
    }

    func currentContents() throws(PreferenceProblem) -> any StoreFileContents {
        if !watcher.mayMissChanges, let snapshot = state.withLock({ $0.file.lastGood }) { return snapshot.contents }
        let changes = FileChanges()
        changes.waitsForMissingFile = true
        // Later, since the caller may hold locks that observers need.
        defer {
            notifyLater(changes)
            if changes.isFileAwaited { readAwaitedFile() }
        }
        do throws(PreferenceProblem) {
            return try readFile(changes).contents
        } catch {
            guard let snapshot = state.withLock({ $0.file.lastGood }) else { throw error }
            notifyFailureLater()
            return snapshot.contents
        }
    }

    /// Reads the file, and parses it if its bytes have changed.
    ///
    /// - Parameter changes: Receives the names whose values have changed.
    func readFile(_ changes: FileChanges) throws(PreferenceProblem) -> FileState.Snapshot {
        let snapshot = try fileAccess.withLock { _ throws(PreferenceProblem) in try loadDirectly(changes) }
        if let snapshot { return snapshot }
        writePendingEditsOfSiblings()
        return try fileAccess.withLock { _ throws(PreferenceProblem) in try load(changes) }
    }

    /// Reads the file in the usual case: its path has no links, no other engine uses it, and it can be read. This saves
    /// a look at the file's status.
    ///
    /// - Returns: The snapshot; nil in all other cases, which ``load(_:)`` handles.
    private func loadDirectly(_ changes: FileChanges) throws(PreferenceProblem) -> FileState.Snapshot? {
        guard let entry = FolderEntry(inFolderWithoutLinks: file.path) else { return nil }
        register(at: entry)
        guard hasNoSiblings.load(ordering: .sequentiallyConsistent) else { return nil }
        if let problem = restrictAccess(to: file.path) { changes.problems.append(problem) }
        guard let read = try? entry.read() else { return nil }
        return try parse(read, changes)
    }

    /// Reads the file. With `fileAccess` held.
    func load(_ changes: FileChanges) throws(PreferenceProblem) -> FileState.Snapshot {
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

    /// Parses the bytes that were read, if they have changed. With `fileAccess` held.
    ///
    /// Bytes are compared, not modification times, whose resolution does not distinguish two writes in quick
    /// succession.
    private func parse(
        _ read: (bytes: [UInt8], version: FileVersion)?,
        _ changes: FileChanges
    ) throws(PreferenceProblem) -> FileState.Snapshot {
        let bytes = read?.bytes
        if let awaited = state.withLock({ $0.snapshotOfAwaitedFile(isMissing: bytes == nil, changes) }) {
            return awaited
        }
        switch state.withLock({ $0.file }) {
        case .read(var snapshot) where snapshot.bytes.hasSameBytes(as: bytes):
            // Another process has written the same bytes, and may have been killed before it synced them.
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
            let snapshot = FileState.Snapshot(contents: contents, bytes: bytes, version: read?.version)
            publish(snapshot, changes)
            return snapshot
        } catch {
            var problem = problem(.storeMalformed, error)
            problem.isOfForeignFile = Self.isDatabase(bytes)
            state.withLock { $0.file.fail(problem, in: bytes, version: read?.version) }
            throw problem
        }
    }

    /// Reads the file; nil if it is missing. While data is protected, a file that looks missing may exist.
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
    private func publish(_ snapshot: FileState.Snapshot, _ changes: FileChanges) {
        let old = state.withLock { state in
            defer { state.file = .read(snapshot) }
            return state
        }
        // After the state has been set, since observers that are added later read the new values. Values that were
        // never read cannot change.
        if observers.isEmpty { return }
        if case .unread = old.file { return }
        let names = snapshot.contents.namesChanged(since: old.file.lastGood?.contents ?? contentsType.init())
        // Reads return pending edits, so these values do not change.
        changes.names.formUnion(names.filter { old.pendingEdits[$0] == nil })
    }

    /// Returns the problem of an error. Its message contains nothing of the file, which may hold secrets, because a
    /// store without observers reports problems to standard error.
    func problem(_ code: PreferenceProblem.Code, _ error: any Error) -> PreferenceProblem {
        let (code, key, message): (PreferenceProblem.Code, String?, String) =
            switch error {
            case let error as StoreFileSyntaxError:
                (.storeMalformed, nil, (error.position.map { "\($0): " } ?? "") + error.message)
            case let error as StoreFileValueError: (.unsupportedValue, error.name, error.message)
            case let error as SystemError: (code, nil, error.description)
            default: (code, nil, "it cannot be encoded or decoded (\(type(of: error)))")
            }
        return PreferenceProblem(code, key: key, store: label, message: message, isMessagePublic: true)
    }
}

extension FileStoreEngine {
    /// Waits until a file that has just disappeared returns, or has been missing for
    /// ``FileStoreState/missingFileDelay``: a write in the meantime would drop all other values, or be replaced itself.
    func waitForMissingFile() {
        guard isFileAwaited else { return }
        let deadline = state.withLock { $0.endOfAbsence() }
        // Polled, since most stores are not observed, and a watch would have to be started for this rare wait. A watcher's
        // thread may also be the one that waits.
        while isFileAwaited, DispatchTime.now() < deadline { usleep(5_000) }
    }

    /// Whether a file that was there is missing now, and has not been found to be missing yet.
    var isFileAwaited: Bool {
        state.withLock { $0.file.lastGood?.bytes != nil } && (try? file.isMissing()) == true
    }

    /// Reads a missing file again after ``FileStoreState/missingFileDelay``.
    func readAwaitedFile() {
        let delay = state.withLock { $0.missingFileDelay }
        DispatchQueue.global().runLater(at: .now() + delay) { [weak self] in
            self?.readExternalChanges()
        }
    }
}

extension FileStoreState {
    /// Returns the time until which a missing file may return.
    fileprivate mutating func endOfAbsence() -> DispatchTime {
        let start = missingSince ?? .now()
        missingSince = start
        return start + missingFileDelay
    }

    /// Returns the last snapshot if the file has been missing for a moment only; otherwise nil.
    fileprivate mutating func snapshotOfAwaitedFile(
        isMissing: Bool,
        _ changes: FileChanges
    ) -> FileState.Snapshot? {
        guard isMissing, changes.waitsForMissingFile, let last = file.lastGood, last.bytes != nil else {
            missingSince = nil
            return nil
        }
        let now = DispatchTime.now()
        guard let start = missingSince else {
            (missingSince, changes.isFileAwaited) = (now, true)
            return last
        }
        if now < start + missingFileDelay { return last }
        missingSince = nil
        return nil
    }
}

/// Damaged files. A read reports the damage and leaves the file as it is. A write keeps the damaged file under another
/// name, reports that name, and replaces the file with the last good contents, unless the store is to leave it in place.
extension FileStoreEngine {
    /// Returns the contents of a file that is about to be replaced. If it cannot be parsed, returns its last good
    /// contents and the failure. With `fileAccess` held.
    ///
    /// - Throws: ``PreferenceProblem`` if the file cannot be read, or if an editor may be writing it.
    func loadToReplace(_ changes: FileChanges) throws(PreferenceProblem) -> (FileState.Snapshot, FileState.Failure?) {
        do throws(PreferenceProblem) {
            return (try load(changes), nil)
        } catch {
            guard error.code == .storeMalformed else { throw error }
            if isDatabase { throw error }
            if refusesDamagedFiles.load(ordering: .relaxed) { throw PreferenceProblem(refusingToReplaceFileOf: error) }
            if isBeingEdited { throw PreferenceProblem(waitingForEditorOf: error) }
            let file = state.withLock { $0.file }
            let last = file.lastGood
            let snapshot = FileState.Snapshot(
                contents: last?.contents ?? contentsType.init(),
                version: last?.version,
                wasRead: last != nil
            )
            return (snapshot, file.failure)
        }
    }

    /// Whether the file was a SQLite database when it was last read.
    var isDatabase: Bool { Self.isDatabase(state.withLock { $0.file }.failure?.bytes) }

    /// Whether bytes are a SQLite database. Damage does not produce one, but a mistaken path does.
    static func isDatabase(_ bytes: [UInt8]?) -> Bool {
        bytes?.starts(with: "SQLite format 3\0".utf8) ?? false
    }

    /// Whether the file has changed so recently that an editor may still be writing it.
    var isBeingEdited: Bool {
        guard !isEnding, let age = try? file.age() else { return false }
        // Negative if the clock was set back.
        return abs(age) < editingTime
    }
}
