public import Foundation

/// Preferences in a file of their own: JSON that people can read and edit, or a property list.
///
/// ```swift
/// let preferences = Preferences(store: FileStore(url: URL(filePath: "/etc/weather.json")))
/// ```
///
/// A set value is on the disk when the setter returns. The file is never half written: its next contents go to a
/// temporary file in the same folder, which then takes its place. It keeps its permissions and, where the system lets
/// it, its owner; a new one belongs to its user alone. A symbolic link stays and leads to the new contents.
///
/// Programs that write the same file at the same time lose nothing: each has an advisory lock while it writes
/// (`.NAME.lock`, beside the file), looks first whether the file has changed, and changes only the entries that it
/// sets. ``update(_:)`` has that lock from before it reads until it has written.
///
/// What another store of the same process writes to the file is read before that returns, and told to observers. What
/// other programs write is so as soon as the system tells of it, for as long as there are observers, such as
/// ``Preferences``: of changes to the file, to the folders above it, and to links on the way. Without observers it is read
/// after the next write, or after ``reload()``. So it is on a file system whose files are changed by another machine, as
/// no system tells of that. Where the system cannot watch one more file, ``tellsAllChanges`` is false, and each read
/// reads the file.
///
/// A file that is missing holds nothing; it and its folder are made by the first write, never by a read. One that
/// cannot be read as its format is left as it is: reads and writes fail with ``PreferenceProblem/Code/storeMalformed``,
/// which names line and column, until someone has mended it. What was read before is still given to readers; once the
/// file is mended, it is read again, at the latest by the next write or ``reload()``. So is it with one that cannot be
/// read at all.
///
/// See <doc:FileFormats> for what is in the file.
public final class FileStore: PreferenceStore {
    /// Where the file is.
    public let url: URL
    /// What the file is written as.
    public let format: Format

    /// The file's path.
    public var label: String { file.path }

    let file: StoreFile
    /// What was last read or written. Held for moments only, so that reading does not wait for the disk.
    let state = Locked<FileStoreState>(.unread)
    /// Held by whoever reads or replaces the file, for as long as the disk takes. Taken before `state`.
    let fileAccess = Locked<Void>(())
    /// Held by whoever changes the file, also while others have its lock, and while a closure makes a batch. Taken
    /// before `fileAccess`.
    let writing = RecursiveLock()
    /// The file, while `writing` is held and so is its lock.
    let lockedFile = Locked<LockedStoreFile?>(nil)

    let observers = PreferenceStoreObservers()
    /// The names that were found to have other values, and that observers were not told of yet, by who is to tell them.
    let untold = Locked<[ObjectIdentifier: Set<String>]>([:])
    /// What other stores of the same file find this one by.
    let listedKeys = Locked<Set<FileKey>>([])
    let watcher: FileWatcher

    /// Makes a store. The file is not touched before the first value is read or written, or someone observes.
    ///
    /// - Parameters:
    ///   - url: Where the file is, or will be. It must be a file URL.
    ///   - format: What it is written as. By default `.xmlPropertyList` where the name ends in `.plist`, else `.json`.
    public convenience init(url: URL, format: Format? = nil) {
        self.init(url: url, format: format) { SystemPathWatches(onEvent: $0) }
    }

    init(url: URL, format: Format? = nil, makeWatches: @escaping FileWatcher.WatchesMaker) {
        guard url.isFileURL else { fatalError("FileStore needs a file URL, not \(url)") }
        self.url = url
        self.format = format ?? (url.pathExtension.lowercased() == "plist" ? .xmlPropertyList : .json)
        file = StoreFile(path: Self.path(of: url))
        watcher = FileWatcher(path: file.path, makeWatches: makeWatches)
    }

    deinit {
        unlist()
    }

    private static func path(of url: URL) -> String {
        let path = url.absoluteURL.path(percentEncoded: false)
        // As of a URL that was made for a folder.
        return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    /// The value kept under a name.
    ///
    /// - Throws: ``PreferenceProblem`` where the file or this one value cannot be read.
    public func value(for name: String) throws -> PreferenceValue? {
        let contents = try currentContents()
        do {
            return try contents.value(for: name)
        } catch {
            throw problem(.unsupportedValue, error)
        }
    }

    /// Makes all changes of a batch, or none. They are on the disk when it returns.
    ///
    /// - Throws: ``PreferenceProblem`` where nothing was changed: the file cannot be read or written, or a value of the
    ///   batch has no representation in the file's format. With ``PreferenceProblem/Code/notDurable`` all was changed,
    ///   but may not survive a power failure.
    public func apply(_ batch: [String: PreferenceEdit]) throws {
        guard !batch.isEmpty else { return }
        try tellingChanges { changes in
            // Nothing to remove is no reason to make a folder.
            if batch.values.allSatisfy({ $0 == .remove }), try readFile(changes).bytes == nil { return }
            do {
                try withLockedFile(changes) { file in try write(batch, to: file, changes) }
            } catch let failure as UnlockableFile {
                throw failure.problem
            }
        }
    }

    /// Makes a batch of changes from what is in the file at the moment, with no other thread and no other process that
    /// uses a ``FileStore`` changing it in between.
    ///
    /// ```swift
    /// try store.update { current in
    ///     guard case .int(let count)? = try current("visits") else { return ["visits": .set(1)] }
    ///     return ["visits": .set(.int(count + 1))]
    /// }
    /// ```
    ///
    /// The closure may also write to this store, which is done at once and stays whatever becomes of the batch. It must
    /// not do so through another store of the same file.
    ///
    /// - Parameter makeBatch: Gives the batch; an empty one changes nothing. `current` gives the value kept under a
    ///   name now, as ``value(for:)``.
    /// - Throws: What the closure throws; and as ``apply(_:)``.
    public func update(
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> [String: PreferenceEdit]
    ) throws {
        try tellingChanges { changes in
            // A folder that is missing is made for the lock, before it is known whether the batch needs it: the closure
            // runs but once, and nobody may write in between.
            do {
                try withLockedFile(changes) { file in
                    _ = try readFile(changes)
                    let batch = try makeBatch(value)
                    // Onto what the file has by then: the closure and editors, which know of no lock, may have written.
                    if !batch.isEmpty { try write(batch, to: file, changes) }
                }
            } catch let failure as UnlockableFile {
                // Whoever only reads needs no lock.
                _ = try readFile(changes)
                guard try makeBatch(value).isEmpty else { throw failure.problem }
            }
        }
    }

    /// All names that a value is kept under.
    ///
    /// - Throws: ``PreferenceProblem`` where the file cannot be read.
    public func names() throws -> Set<String> {
        try currentContents().names
    }

    /// Reads the file again.
    ///
    /// - Throws: ``PreferenceProblem`` where it cannot be read.
    public func reload() throws {
        if watcher.isBlind { watchIfObserved() }
        try tellingChanges { changes in _ = try readFile(changes) }
    }
}
