import PreferencesSystem
import Dispatch
import Synchronization

/// Reads and writes the file of the ``FileStore``s that have one path and one format.
///
/// A store is a handle of its engine, which lives until the last store has been released and its pending edits are
/// written.
package final class FileStoreEngine: Sendable {
    /// Stores with equal keys share an engine.
    ///
    /// Two paths that lead to one file have an engine each: a link on the one may be made to lead elsewhere while the
    /// other stays.
    struct Key: Hashable {
        let path: String
        let format: FileStore.Format
        /// The type of the parsed contents.
        let contents: ObjectIdentifier
    }

    let file: StoreFile
    let format: FileStore.Format
    /// The type of the parsed contents: that of the format, unless the file is one value.
    let contentsType: any StoreFileContents.Type
    /// The age in seconds below which a file that does not parse may be half written by an editor.
    let editingTime: Double

    /// The file's path.
    var label: String { file.path }

    var key: Key { Key(path: file.path, format: format, contents: ObjectIdentifier(contentsType)) }

    /// What was last read or written. Held for moments only, so that reading does not wait for the disk.
    let state = Locked(FileStoreState())
    /// Held while the file is read or replaced, for as long as the disk takes. Taken before `state`.
    let fileAccess = Locked<Void>(())
    /// Held while the file is changed, also while another process has its lock, and while a closure makes a batch. Taken
    /// before `fileAccess`. Reads never take it.
    let writing = RecursiveLock()
    /// Held while pending edits are added, and while a closure makes a batch. Taken after `writing`, and before
    /// `fileAccess`.
    let changing = RecursiveLock()
    /// The file, while `writing` is held and so is its lock.
    let lockedFile = Locked<LockedStoreFile?>(nil)
    /// Makes writing faster where setters wait for it.
    let spare = RecycledTemporaryFile()
    /// Whether a store of this engine has had ``FileStore/Durability/immediate``.
    let keepsSpare = Atomic(false)

    /// The queue on which pending edits are written. Each engine has its own, since writing may wait long for the lock of a
    /// file, and the threads of the global queues are limited.
    let writer = DispatchQueue(label: "preferences.file-writer", qos: .utility)

    /// Whether the file holds secrets, so that only its owner is to have access to it.
    let holdsSecrets = Atomic(false)
    /// The exposure of the file that was reported and could not be ended; nil if there is none.
    let reportedExposure = Locked<PreferenceProblem?>(nil)

    let observers = PreferenceStoreObservers()
    let watcher: FileWatcher
    let protection: DataProtection

    /// The keys that engines of the same file find this one by.
    let listedKeys = Locked<[FileKey]>([])
    /// Whether this engine is listed by the place of its file, and is the only one there. Changed only while the list of
    /// engines is locked.
    ///
    /// An engine that comes to the same place clears this before it looks for pending edits, for which it locks the `state`
    /// of this one. So whoever has added an edit, and still finds this true, has added it before that look.
    let isAlone = Atomic(false)
    /// The number of stores that have this engine. Changed only while the list of engines is locked.
    let storeCount = Atomic(0)
    /// Whether edits were reported as lost.
    let hasReportedLoss = Atomic(false)
    /// Whether this engine has written for the last time before the program ends.
    let hasEnded = Atomic(false)

    /// Whether its last store has gone, or the program is ending: what is not written now will not be.
    var isEnding: Bool { storeCount.load(ordering: .relaxed) == 0 || hasEnded.load(ordering: .relaxed) }

    init(
        path: String,
        format: FileStore.Format,
        contents: any StoreFileContents.Type,
        editingTime: Double,
        watching: FileWatcher.Mechanism,
        protection: DataProtection
    ) {
        self.protection = protection
        file = StoreFile(path: path)
        self.format = format
        contentsType = contents
        self.editingTime = editingTime
        watcher = FileWatcher(path: path, using: watching)
    }
}
