public import Foundation
public import PreferencesRuntime
import PreferencesSystem

/// A store in a SQLite database.
///
/// ```swift
/// let url = URL.applicationSupportDirectory.appending(components: "Weather", "preferences.sqlite")
/// let preferences = Preferences(store: SQLiteStore(url: url))
/// ```
///
/// Use a `FileStore` for settings that users change: its file can be edited with any editor, and is rewritten as a
/// whole. Use a `SQLiteStore` for many keys, for frequent durable writes, or for many writing processes: the cost of a
/// change does not depend on the number of keys, and readers do not wait for writers.
///
/// A value is durable when the setter returns. A batch is applied completely or not at all, even if the process is
/// killed or the power fails. Concurrent writers lose nothing: each waits for a lock on `.NAME.lock` beside the
/// database, which ``update(_:)`` holds from before its first read until after its write.
///
/// Changes through one store reach all stores of the same file in the process, and their observers, at once. Changes by
/// other processes are read at once, and their notifications arrive as soon as the system reports a file event; for
/// programs that use SQLite directly, within a second after the change is on disk.
///
/// A missing database is empty. The first write creates it and its folder, accessible to the user only; reads create
/// nothing. SQLite keeps two files beside the database, `NAME-wal` and `NAME-shm`. The first contains data of the
/// database, so copy, move and remove the three together. They require a local disk; observers are notified of a
/// network file system (`remoteFileSystem`).
///
/// Reads leave a damaged database unchanged and fail with `storeMalformed`; keys keep their cached values. The next
/// write sets it aside as `NAME.corrupt-DATE`, creates a new database with all readable entries, and reports this to
/// observers, or to standard error if there are none. A database of another program, or of a later version, is never
/// changed.
///
/// SQLite 3.31 or later is required on the system. After a process that has used a store forks, all stores fail in the
/// child. <doc:PreferencesSQLite> describes the layout of the database.
///
/// On systems that suspend apps, the database is closed and unlocked while the app is in the background: see
/// `StoreSuspension`.
public final class SQLiteStore: WriterExcludingStore, SecretProtectingStore {
    /// The location of the database.
    public let url: URL
    /// How long a call waits for locks of other processes.
    public let busyTimeout: Duration
    /// The path of the database.
    public let label: String

    /// The default of ``busyTimeout``: 10 seconds.
    public static let defaultBusyTimeout: Duration = .seconds(10)

    /// Nil before the first use.
    private let shared = Locked<SQLiteDatabase?>(nil)

    /// Creates a store. The file is first accessed when a value is read or written, or an observer is added.
    ///
    /// - Parameters:
    ///   - url: The location of the database. Must be a file URL; any other is a programming error and stops the
    ///     program.
    ///   - busyTimeout: How long a call waits while another process has locked the database; ``defaultBusyTimeout`` by
    ///     default. With zero or less it does not wait. If the lock is held by a store in another process, the call
    ///     then fails with `PreferenceProblem.Code.storeBusy`. Waiting for threads of this process has no limit.
    public init(url: URL, busyTimeout: Duration = SQLiteStore.defaultBusyTimeout) {
        guard url.isFileURL else { fatalError("SQLiteStore needs a file URL, not \(url)") }
        self.url = url
        self.busyTimeout = busyTimeout
        let path = url.absoluteURL.path(percentEncoded: false)
        // The URL may denote a folder.
        label = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    /// Creates a store of the database with a path. The file is first accessed when a value is read or written, or an
    /// observer is added.
    ///
    /// - Parameters:
    ///   - path: The path of the database. As for `URL(filePath:)`, a relative path begins at the current working
    ///     directory of the process, and `~` is the user's home folder.
    ///   - busyTimeout: As in ``init(url:busyTimeout:)``.
    public convenience init(path: String, busyTimeout: Duration = SQLiteStore.defaultBusyTimeout) {
        self.init(url: URL(filePath: path), busyTimeout: busyTimeout)
    }

    fileprivate var database: SQLiteDatabase {
        shared.withLock { database in
            let new = database ?? .shared(path: label)
            database = new
            return new
        }
    }

    /// Returns the stored value of a name.
    ///
    /// - Throws: `PreferenceProblem` if the database, or this value, cannot be read.
    public func value(for name: String) throws -> PreferenceValue? {
        try database.value(for: name, timeout: busyTimeout)
    }

    /// Returns the names of all stored values.
    ///
    /// - Throws: `PreferenceProblem` if the database cannot be read.
    public func names() throws -> Set<String> {
        try database.names(timeout: busyTimeout)
    }

    /// Applies a batch completely or not at all. The changes are durable when this returns. All observers but the
    /// writer are notified.
    ///
    /// - Throws: `PreferenceProblem` if nothing was changed: the database cannot be read or written, another program
    ///   has locked it, or SQLite cannot store a value that is too large or nested too deeply. If the disk fails during
    ///   the commit, the whole batch may still turn out to be applied.
    public func apply(_ batch: PreferenceBatch, by writer: PreferenceStoreObservation?) throws {
        guard !batch.isEmpty else { return }
        try database.apply(batch, by: writer?.parts.first, timeout: busyTimeout)
    }

    /// Applies a batch that is made from the current values, without changes by other threads or processes in between.
    ///
    /// ```swift
    /// try store.update { current in
    ///     guard case .int(let count)? = try current("visits") else { return ["visits": .set(1)] }
    ///     return ["visits": .set(.int(count + 1))]
    /// }
    /// ```
    ///
    /// The closure may also write to this store. Such a write takes effect at once, whether or not the batch succeeds,
    /// and programs that use SQLite directly may write between it and the batch.
    ///
    /// - Parameters:
    ///   - writer: The observation of the observer that writes, which is not notified; nil for none.
    ///   - makeBatch: Returns the batch; an empty one changes nothing. `current` returns the stored value of a name, as
    ///     ``value(for:)`` does; for a damaged database, the value that can still be read.
    /// - Throws: Any error of the closure; and as ``apply(_:by:)``.
    public func update(
        by writer: PreferenceStoreObservation?,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        try database.update(by: writer?.parts.first, timeout: busyTimeout, makeBatch)
    }

    /// Looks for external changes and notifies observers.
    ///
    /// - Throws: `PreferenceProblem` if the database cannot be read.
    public func reload() throws {
        if !database.isWatchable { database.watchIfObserved() }
        try database.refresh(busyTimeout)
    }

    /// Removes group and other permissions from the files of the database, now and at each write.
    ///
    /// A file that belongs to another user is reported and left unchanged.
    ///
    /// - Returns: Problems with `secretsExposed` for the files that other users could access.
    public func protectSecrets() -> [PreferenceProblem] {
        database.protectSecrets()
    }

    /// Whether observers are notified of all external changes.
    ///
    /// False if the system cannot watch the database: the number of watches is limited (on Linux by
    /// `fs.inotify.max_user_watches`), the folder must be readable, and network file systems do not report changes by
    /// other machines. When the value changes, observers are notified of `.everything`. The next ``observe(_:)`` and
    /// ``reload()`` try to watch the database again.
    public var notifiesAllChanges: Bool { database.isWatchable }

    /// Notifies an observer after each change: of changes through stores of this process by name, before the writing
    /// call returns; of external changes as `.everything`, when the system reports them, on another thread.
    ///
    /// Observers are also notified of problems: the database cannot be read, was damaged and set aside, or is on a
    /// network file system (`remoteFileSystem`). Writes within the closure of ``update(_:)`` notify at once, while
    /// other processes still cannot write; the observer may read then.
    ///
    /// - Parameter observer: Receives the names of changed values, `.everything` or a problem.
    public func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        database.observe(busyTimeout, observer)
    }
}

extension SQLiteStore: SharedBackendStore {
    package var backend: AnyObject { database }
}
