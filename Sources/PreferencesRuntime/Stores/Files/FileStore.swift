public import Foundation
import Synchronization

/// Preferences in a file of their own: JSON that people can read and edit, or a property list.
///
/// ```swift
/// let preferences = Preferences(store: FileStore(url: URL(filePath: "/etc/weather.json")))
/// ```
///
/// A set value is on the disk 50 ms after the first change, or when ``flush()`` returns; with ``Durability/immediate``,
/// when the setter returns. ``update(_:)``, and with it a transaction, has always written before it returns.
///
/// The file is never half written: its next contents go to a temporary file in the same folder, are synced, and then take
/// its place. It keeps its permissions and, where the system lets it, its owner and its extended attributes; a new one
/// belongs to its user alone. A symbolic link stays and leads to the new contents. What a process has left that was
/// killed while it wrote is removed by the next that writes.
///
/// Programs that write the same file at the same time lose nothing: each has an advisory lock while it writes
/// (`.NAME.lock`, beside the file), looks first whether the file has changed, and changes only the entries that it
/// sets. ``update(_:)`` has that lock from before it reads until it has written.
///
/// What another store of the same process writes to the file is read before that returns, and told to observers; for
/// that, stores of one file in one process write at once. What
/// other programs write is so as soon as the system tells of it, for as long as there are observers, such as
/// ``Preferences``: of changes to the file, to the folders above it, and to links on the way. Without observers it is read
/// after the next write, or after ``reload()``. So it is on a file system whose files are changed by another machine, as
/// no system tells of that. Where the system cannot watch one more file, ``tellsAllChanges`` is false, and each read
/// reads the file.
///
/// A file that is missing holds nothing; it and its folder are made by the first write, never by a read. See
/// <doc:FileFaults> for what becomes of files that are damaged, and of what cannot be written.
///
/// See <doc:FileFormats> for what is in the file.
public final class FileStore: PreferenceStore {
    /// Where the file is.
    public let url: URL
    /// What the file is written as.
    public let format: Format
    /// When what was set is written.
    public let durability: Durability

    /// The file's path.
    public var label: String { file.path }

    let file: StoreFile
    /// What was last read or written. Held for moments only, so that reading does not wait for the disk.
    let state = Locked(FileStoreState())
    /// Held by whoever reads or replaces the file, for as long as the disk takes. Taken before `state`.
    let fileAccess = Locked<Void>(())
    /// Held by whoever changes the file, also while others have its lock, and while a closure makes a batch. Taken
    /// before `fileAccess`.
    let writing = RecursiveLock()
    /// Held by whoever changes what readers are given, while the file stays as it is, and while a closure makes a batch.
    /// Taken before `writing`.
    let changing = RecursiveLock()
    /// The file, while `writing` is held and so is its lock.
    let lockedFile = Locked<LockedStoreFile?>(nil)

    let observers = PreferenceStoreObservers()
    /// The names that were found to have other values, and that observers were not told of yet, by who is to tell them.
    let untold = Locked<[ObjectIdentifier: Set<String>]>([:])
    /// What other stores of the same file find this one by.
    let listedKeys = Locked<Set<FileKey>>([])
    let watcher: FileWatcher
    /// A file that does not parse, and was changed so short a time ago, in seconds, may be half written by an editor.
    let editingTime: Double
    /// Whether nothing is to refer to it any more.
    let isEndingNow = Atomic(false)

    /// Makes a store. The file is not touched before the first value is read or written, or someone observes.
    ///
    /// - Parameters:
    ///   - url: Where the file is, or will be. It must be a file URL.
    ///   - format: What it is written as. By default `.xmlPropertyList` where the name ends in `.plist`, else `.json`.
    ///   - durability: When what was set is written. By default 50 ms after the first change.
    public convenience init(url: URL, format: Format? = nil, durability: Durability = .coalesced(milliseconds: 50)) {
        self.init(url: url, format: format, durability: durability) { SystemPathWatches(onEvent: $0) }
    }

    init(
        url: URL,
        format: Format? = nil,
        durability: Durability = .coalesced(milliseconds: 50),
        editingTime: Double = 0.5,
        makeWatches: @escaping FileWatcher.WatchesMaker = { SystemPathWatches(onEvent: $0) }
    ) {
        guard url.isFileURL else { fatalError("FileStore needs a file URL, not \(url)") }
        self.url = url
        self.durability = durability
        self.editingTime = editingTime
        self.format = format ?? (url.pathExtension.lowercased() == "plist" ? .xmlPropertyList : .json)
        file = StoreFile(path: Self.path(of: url))
        watcher = FileWatcher(path: file.path, makeWatches: makeWatches)
    }

    var isEnding: Bool { isEndingNow.load(ordering: .relaxed) }

    deinit {
        writeAtEnd()
        forgetAtExit()
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

    /// Makes all changes of a batch, or none. When it returns readers are given them; with ``Durability/immediate`` they
    /// are on the disk.
    ///
    /// - Throws: ``PreferenceProblem`` where nothing was changed: a value of the batch has no representation in the file's
    ///   format, or, with ``Durability/immediate``, the file cannot be read or written. With
    ///   ``PreferenceProblem/Code/notDurable`` all was changed, but may not survive a power failure.
    public func apply(_ batch: [String: PreferenceEdit]) throws {
        guard !batch.isEmpty else { return }
        try checkForOtherStores()
        // In the closure of `update` the file is locked already.
        if case .coalesced(let milliseconds) = durability, !writing.isHeldByThisThread {
            return try postpone(batch, for: milliseconds)
        }
        catchUpWithStoresOfSameFile()
        try tellingChanges { changes in
            // Nothing to remove is no reason to make a folder.
            if batch.values.allSatisfy({ $0 == .remove }), try isMissing(changes) { return }
            do {
                try withLockedFile(changes) { file in try write(batch, to: file, changes) }
            } catch let failure as UnlockableFile {
                throw failure.problem
            }
        }
    }

    private func isMissing(_ changes: FileChanges) throws(PreferenceProblem) -> Bool {
        do throws(PreferenceProblem) {
            return try readFile(changes).bytes == nil && !hasUnwritten
        } catch {
            guard error.code == .storeMalformed else { throw error }
            return false
        }
    }

    /// Makes a batch of changes from what is in the file at the moment, with no other thread and no other process that
    /// uses a ``FileStore`` changing it in between. It is on the disk when it returns, and with it what was set before.
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
    ///   name now, as ``value(for:)``; nothing where the file is damaged and will be set aside.
    /// - Throws: What the closure throws; and as ``apply(_:)`` with ``Durability/immediate``.
    public func update(
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> [String: PreferenceEdit]
    ) throws {
        try checkForOtherStores()
        catchUpWithStoresOfSameFile()
        try tellingChanges { changes in
            // A folder that is missing is made for the lock, before it is known whether the batch needs it: the closure
            // runs but once, and nobody may write in between.
            try changing.withLock {
                do {
                    try withLockedFile(changes) { file in
                        _ = try fileAccess.withLock { _ in try loadToReplace(changes) }
                        let batch = try makeBatch(currentValue)
                        // Onto what the file has by then: the closure and editors, which know of no lock, may have
                        // written.
                        if !batch.isEmpty { try write(batch, to: file, changes) }
                    }
                } catch let failure as UnlockableFile {
                    // Whoever only reads needs no lock.
                    _ = try readFile(changes)
                    guard try makeBatch(value).isEmpty else { throw failure.problem }
                }
            }
        }
    }

    /// As ``value(for:)``, with what is to take the place of a file that is damaged.
    private func currentValue(for name: String) throws -> PreferenceValue? {
        let edit = state.withLock { $0.unwritten[name] }
        if let edit { return edit.value }
        return try value(for: name, in: state.withLock { $0.file.lastGood }?.contents ?? format.contents.init())
    }

    /// All names that a value is kept under.
    ///
    /// - Throws: ``PreferenceProblem`` where the file cannot be read.
    public func names() throws -> Set<String> {
        // In this order: what is written in between is in the file.
        let unwritten = state.withLock { $0.unwritten.edits }
        var names = try currentContents().names
        for (name, edit) in unwritten {
            if edit == .remove { names.remove(name) } else { names.insert(name) }
        }
        return names
    }

    /// Returns when all that was set is on the disk.
    ///
    /// - Throws: ``PreferenceProblem`` where it could not be written. Readers are given it all the same, and it is tried
    ///   again from time to time.
    public func flush() throws {
        try writeUnwritten()
    }

    /// Reads the file again.
    ///
    /// - Throws: ``PreferenceProblem`` where it cannot be read.
    public func reload() throws {
        if watcher.isBlind { watchIfObserved() }
        try tellingChanges { changes in _ = try readFile(changes) }
    }
}
