import Synchronization

/// What a ``FileStore`` does, in an object of its own: others find it, and write and wait for it, until the store's end
/// has written what was unwritten.
final class FileStoreEngine: Sendable {
    let file: StoreFile
    let format: FileStore.Format
    /// What is in the file: that of the format, unless the file is one value.
    let contentsType: any StoreFileContents.Type
    let durability: FileStore.Durability
    /// A file that does not parse, and was changed so short a time ago, in seconds, may be half written by an editor.
    let editingTime: Double

    /// The file's path.
    var label: String { file.path }

    /// What was last read or written. Held for moments only, so that reading does not wait for the disk.
    let state = Locked(FileStoreState())
    /// Held by whoever reads or replaces the file, for as long as the disk takes. Taken before `state`.
    let fileAccess = Locked<Void>(())
    /// Held by whoever changes the file, also while others have its lock, and while a closure makes a batch. Taken
    /// before `fileAccess`.
    let writing = RecursiveLock()
    /// Held by whoever changes what readers are given, while the file stays as it is, and while a closure makes a batch.
    /// Taken after `writing`, and before `fileAccess`.
    let changing = RecursiveLock()
    /// The file, while `writing` is held and so is its lock.
    let lockedFile = Locked<LockedStoreFile?>(nil)
    /// What makes writing faster where setters wait for it.
    let spare: SpareFile?

    let observers = PreferenceStoreObservers()
    /// The names that were found to have other values, and that observers were not told of yet, by who is to tell them.
    let untold = Locked<[ObjectIdentifier: Set<String>]>([:])
    let watcher: FileWatcher

    /// What others of the same file find this one by.
    let listedKeys = Locked<Set<FileKey>>([])
    /// Whether its store has gone, or the program is ending: what is not written now will not be.
    let isEndingNow = Atomic(false)

    var isEnding: Bool { isEndingNow.load(ordering: .relaxed) }

    init(
        path: String,
        format: FileStore.Format,
        contents: (any StoreFileContents.Type)? = nil,
        durability: FileStore.Durability,
        editingTime: Double,
        watching: FileWatcher.Means
    ) {
        file = StoreFile(path: path)
        self.format = format
        contentsType = contents ?? format.contents
        self.durability = durability
        self.editingTime = editingTime
        spare = durability == .immediate ? SpareFile() : nil
        watcher = FileWatcher(path: path, with: watching)
    }
}
