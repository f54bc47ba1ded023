import PreferencesSystem

/// What becomes of a file that is not what a store writes.
///
/// Reading leaves it as it is, and says what is wrong with it. Writing keeps it under another name, says which, and puts
/// what readers are given in its place.
extension FileStoreEngine {
    /// Returns the contents of a file that is about to be replaced. If it does not parse, returns its last good contents and
    /// the failure. With `fileAccess` held.
    ///
    /// - Throws: ``PreferenceProblem`` if the file cannot be read, or may be half written by an editor just now.
    func loadToReplace(_ changes: FileChanges) throws(PreferenceProblem) -> (KnownFile.Snapshot, KnownFile.Failure?) {
        do throws(PreferenceProblem) {
            return (try load(changes), nil)
        } catch {
            guard error.code == .storeMalformed else { throw error }
            if isDatabase { throw error }
            if isBeingEdited { throw PreferenceProblem(waitingForEditorOf: error) }
            let file = state.withLock { $0.file }
            let last = file.lastGood
            let snapshot = KnownFile.Snapshot(
                contents: last?.contents ?? contentsType.init(),
                version: last?.version,
                wasRead: last != nil
            )
            return (snapshot, file.failure)
        }
    }

    /// Whether what is there is a SQLite database, as far as was seen.
    var isDatabase: Bool { Self.isDatabase(state.withLock { $0.file }.failure?.bytes) }

    /// Whether a file is a SQLite database: no damage makes one, but another store's address does.
    static func isDatabase(_ bytes: [UInt8]?) -> Bool {
        bytes?.starts(with: "SQLite format 3\0".utf8) ?? false
    }

    /// Whether the file was changed just now. Then an editor may be writing it, piece by piece.
    private var isBeingEdited: Bool {
        guard !isEnding, let age = try? file.age() else { return false }
        // A clock that was put back makes files of the future.
        return abs(age) < editingTime
    }
}
