import PreferencesSystem
public import Foundation

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
/// Programs that write the same file at the same time lose nothing: each holds an advisory lock while it writes
/// (`.NAME.lock`, beside the file), reads first what has changed in the file, and changes only the entries that it
/// sets. ``update(_:)`` holds that lock from before it reads until it has written. A lock that another process holds for
/// longer than ``lockTimeout`` is a ``PreferenceProblem/Code/storeBusy``.
///
/// Stores of one path and one format in one process share their contents and pending edits: what one of them sets the
/// others read at once, their observers are notified before the setter returns, and the file is read, parsed and written
/// once for all of them. Their pending edits are written when the last of them is released, at the latest. Stores that
/// reach one file by different paths (over a symbolic link), or in different formats, write at once, and have each
/// other's changes read.
///
/// What other programs write is read as soon as the system reports it, for as long as there are observers, such as
/// ``Preferences``: changes of the file, of the folders above it, and of links on the way. Without observers it is read
/// with the next write, or by ``reload()``. Where the system cannot watch one more file, and on a network file system,
/// ``notifiesAllChanges`` is false, and each read reads the file.
///
/// On systems that suspend apps, a store writes what is pending when the app enters the background, and locks no file
/// until it returns: see ``StoreSuspension``. Before the first unlock after a start of the device, a protected file cannot
/// be read: reading throws ``PreferenceProblem/Code/storeUnreadable``, nothing is overwritten, and the file is read once
/// the device is unlocked.
///
/// A file that is missing holds nothing; it and its folder are made by the first write, never by a read. See
/// <doc:FileFaults> for what becomes of files that are damaged, and of what cannot be written.
///
/// See <doc:FileFormats> for what is in the file.
public final class FileStore: WriterExcludingStore, CapabilityDeclaringStore, SecretProtectingStore {
    /// Where the file is.
    public let url: URL
    /// What the file is written as.
    public var format: Format { engine.format }
    /// When what was set is written.
    public let durability: Durability
    /// How long a call waits for the lock of the file while another process holds it.
    public let lockTimeout: Duration

    /// The default of ``lockTimeout``: 10 s.
    public static let defaultLockTimeout: Duration = .seconds(10)

    /// The file's path.
    public var label: String { engine.label }

    fileprivate let engine: FileStoreEngine

    /// Makes a store. The file is not touched before the first value is read or written, or someone observes.
    ///
    /// - Parameters:
    ///   - url: Where the file is, or will be. It must be a file URL; the program ends with another.
    ///   - format: What it is written as. By default `.xmlPropertyList` where the name ends in `.plist`, else `.json`.
    ///   - durability: When what was set is written. By default 50 ms after the first change.
    ///   - lockTimeout: How long a call waits for the lock of the file while another process holds it, before it fails with
    ///     ``PreferenceProblem/Code/storeBusy``; ``defaultLockTimeout`` by default, and with zero or less it does not wait.
    ///     Reads never wait. Setters that write later wait only for an update or a transaction that another thread of the
    ///     program has begun.
    public convenience init(
        url: URL,
        format: Format? = nil,
        durability: Durability = .coalesced(milliseconds: 50),
        lockTimeout: Duration = FileStore.defaultLockTimeout
    ) {
        self.init(
            url: url,
            format: format,
            durability: durability,
            lockTimeout: lockTimeout,
            watching: FileWatcher.Mechanism()
        )
    }

    /// Creates a store of a file that is a single JSON value, stored under the name `value`.
    ///
    /// No other name is supported. A file without a value contains `null`, or does not exist.
    ///
    /// - Parameters:
    ///   - url: The file URL of the file, which need not exist yet. The program ends with any other URL.
    ///   - durability: When edits are written; by default 50 ms after the first one.
    ///   - lockTimeout: As in ``init(url:format:durability:lockTimeout:)``.
    public convenience init(
        singleValueAt url: URL,
        durability: Durability = .coalesced(milliseconds: 50),
        lockTimeout: Duration = FileStore.defaultLockTimeout
    ) {
        self.init(
            url: url,
            format: .json,
            contents: SingleValueContents.self,
            durability: durability,
            lockTimeout: lockTimeout
        )
    }

    /// - Parameters:
    ///   - contents: The type of the parsed contents, if it is not that of the format.
    ///   - editingTime: See ``FileStoreEngine/editingTime``. The first store of a file decides.
    ///   - watching: What the file is watched with. The first store of a file decides.
    ///   - protection: Tells whether the file may be protected. The first store of a file decides.
    init(
        url: URL,
        format: Format? = nil,
        contents: (any StoreFileContents.Type)? = nil,
        durability: Durability,
        lockTimeout: Duration = FileStore.defaultLockTimeout,
        editingTime: Double = 0.5,
        watching: FileWatcher.Mechanism = FileWatcher.Mechanism(),
        protection: DataProtection = .system
    ) {
        guard url.isFileURL else { fatalError("FileStore needs a file URL, not \(url)") }
        self.url = url
        self.durability = durability
        self.lockTimeout = lockTimeout
        let path = Self.path(of: url)
        engine = FileStoreEngine.shared(
            path: path,
            format: format ?? (FilePath(path).hasExtension("plist") ? .xmlPropertyList : .json),
            contents: contents,
            durability: durability,
            editingTime: editingTime,
            watching: watching,
            protection: protection
        )
    }

    deinit {
        engine.release()
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
        try engine.value(for: name)
    }

    /// All names that a value is kept under.
    ///
    /// - Throws: ``PreferenceProblem`` where the file cannot be read.
    public func names() throws -> Set<String> {
        try engine.names()
    }

    /// Makes all changes of a batch, or none. When it returns readers are given them; with ``Durability/immediate`` they
    /// are on the disk.
    ///
    /// - Throws: ``PreferenceProblem`` where nothing was changed: a value of the batch has no representation in the file's
    ///   format, or, with ``Durability/immediate``, the file cannot be read or written. With
    ///   ``PreferenceProblem/Code/notDurable`` all was changed, but may not survive a power failure.
    public func apply(_ batch: PreferenceBatch) throws {
        try apply(batch, by: nil)
    }

    /// Applies a batch, as ``apply(_:)``, and notifies all observers but the writer.
    ///
    /// - Throws: As ``apply(_:)``.
    public func apply(_ batch: PreferenceBatch, by writer: PreferenceStoreObservation?) throws {
        try engine.apply(batch, by: writer?.parts.first, durability: durability, lockTimeout: lockTimeout)
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
    /// not write to the file by another path or in another format.
    ///
    /// - Parameter makeBatch: Gives the batch; an empty one changes nothing. `current` gives the value kept under a
    ///   name now, as ``value(for:)``; where the file is damaged and will be set aside, what was read before, which takes
    ///   its place.
    /// - Throws: What the closure throws; and as ``apply(_:)`` with ``Durability/immediate``.
    public func update(
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        try update(by: nil, makeBatch)
    }

    /// Updates the file, as ``update(_:)``, and notifies all observers but the writer.
    ///
    /// - Throws: As ``update(_:)``.
    public func update(
        by writer: PreferenceStoreObservation?,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        try engine.update(by: writer?.parts.first, lockTimeout: lockTimeout, makeBatch)
    }

    /// Returns when everything that was set is on the disk, through this store or another one of the same path and format.
    ///
    /// - Throws: ``PreferenceProblem`` where it could not be written. Readers are given it all the same, and it is tried
    ///   again from time to time.
    public func flush() throws {
        try engine.writeUnwritten(FileLockWait(timeout: lockTimeout))
    }

    /// Reads the file again.
    ///
    /// - Throws: ``PreferenceProblem`` where it cannot be read.
    public func reload() throws {
        try engine.reload()
    }

    /// Removes group and other permissions from the file: now, with each write, and each time that it is read again.
    ///
    /// A file that belongs to another user, or to which a link of another user leads, is reported, and keeps its permissions
    /// until the next write.
    ///
    /// - Returns: A problem with ``PreferenceProblem/Code/secretsExposed`` where other users had access; empty where not.
    public func protectSecrets() -> [PreferenceProblem] {
        engine.protectSecrets()
    }

    /// True, unless the system cannot watch the file: a user may watch so many files and no more (on Linux
    /// `fs.inotify.max_user_watches`), a folder must be readable for that, and of a network file system this machine hears
    /// no changes that others make.
    ///
    /// The file is watched on another thread, which begins when the store is first observed, and is true until that has
    /// failed. When it becomes another, observers are told of everything. While it is false each read reads the file; the
    /// next ``observe(_:)`` and ``reload()`` try to watch it again.
    public var notifiesAllChanges: Bool { engine.notifiesAllChanges }

    /// Waits until the file is watched, if the store is observed, and was compared with what had been read before.
    package func waitUntilWatched() {
        engine.watcher.waitForCheck()
    }

    /// Notifies an observer of changes after they were made: of those made through this store, or through another one of
    /// this process with the same path and format, before they return; of those made by other processes as soon as the
    /// system reports them, on another thread.
    ///
    /// A file that cannot be read any more is told as ``PreferenceStoreChange/unreadable(_:)`` when it has been so for
    /// half a second: until it is mended, readers are given what was there before. ``PreferenceStoreChange/problem(_:)``
    /// is told where what was set could not be written yet, and where a damaged file was set aside; without observers that
    /// goes to standard error.
    ///
    /// Of what the closure of ``update(_:)`` writes observers are told at once, although the file is locked then: it
    /// reads it, too.
    ///
    /// - Parameter observer: Is given the names whose values are others now, `.everything` where changes may have been
    ///   missed, `.unreadable` or `.problem`.
    public func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        engine.observe(observer)
    }
}

extension FileStore: SharedBackendStore {
    package var backend: AnyObject { engine }
}
