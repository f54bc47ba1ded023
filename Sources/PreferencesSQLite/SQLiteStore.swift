import PreferencesSystem
public import Foundation
public import PreferencesRuntime

/// Preferences in a SQLite database of their own.
///
/// ```swift
/// let url = URL.applicationSupportDirectory.appending(components: "Weather", "preferences.sqlite")
/// let preferences = Preferences(store: SQLiteStore(url: url))
/// ```
///
/// A `FileStore` is the better choice for what people set: its file can be read and edited by everyone, and it is
/// written whole, which takes as long as a file of its size does. A `SQLiteStore` is for many keys, for values that are
/// set often and must last each time, and for many processes that write: a change takes one write to the disk however
/// many other keys there are, and readers wait for no writer.
///
/// A set value is on the disk when the setter returns. A batch is in the database whole or not at all, also after the
/// process was killed or the power has failed. Processes that write at the same time lose nothing: each waits for the
/// others, by a lock on `.NAME.lock` beside the database, which ``update(_:)`` has from before it reads until it has
/// written.
///
/// What is set through one store of a process is at once read, and told to observers, by all others that have the same
/// file. What other processes set is read at once, and told as soon as the system tells of it; what programs set that
/// know SQLite but no `SQLiteStore`, within a second after it was written to the disk.
///
/// A database that is missing holds nothing; it and its folder are made by the first write, never by a read, for their
/// user alone. SQLite keeps two files of its own beside it, `NAME-wal` and `NAME-shm`: what is in the first belongs to
/// the database, so the three are to be copied, moved and removed together. They need a local disk; observers are told
/// where they are on a network file system (`remoteFileSystem`).
///
/// A damaged database is left as it is by reads, which fail with `storeMalformed`; keys go on reading what they have
/// read. The next write sets it aside as `NAME.corrupt-DATE`, begins a new one with all entries that can still be read,
/// and tells observers of it; where there are none, standard error. A database of another program, or of a later version
/// of this one, is never touched.
///
/// The system's SQLite is used, 3.31 or later. A process that was forked from one that has used a store must not use any:
/// its stores fail. See <doc:PreferencesSQLite> for what is in the database.
///
/// On systems that suspend apps, the database is closed and no file locked from when the app enters the background until
/// it returns: see `StoreSuspension`.
public final class SQLiteStore: WriterExcludingStore, SecretProtectingStore {
    /// Where the database is.
    public let url: URL
    /// How long a call waits for other programs that have the database locked.
    public let busyTimeout: Duration
    /// The database's path.
    public let label: String

    /// How long a call waits for other programs where a store is not told otherwise: 10 seconds.
    public static let defaultBusyTimeout: Duration = .seconds(10)

    /// Nil until the first use.
    private let shared = Locked<SQLiteDatabase?>(nil)

    /// Makes a store. The file is not touched before the first value is read or written, or someone observes.
    ///
    /// - Parameters:
    ///   - url: Where the database is, or will be. It must be a file URL; the program ends with another.
    ///   - busyTimeout: How long a call waits while another process has the database locked, before it fails;
    ///     ``defaultBusyTimeout`` by default, and with zero or less it does not wait. Where a store holds the lock, in
    ///     another process, the call fails with `PreferenceProblem.Code.storeBusy`. Threads of this process are waited for
    ///     as long as they take.
    public init(url: URL, busyTimeout: Duration = SQLiteStore.defaultBusyTimeout) {
        guard url.isFileURL else { fatalError("SQLiteStore needs a file URL, not \(url)") }
        self.url = url
        self.busyTimeout = busyTimeout
        let path = url.absoluteURL.path(percentEncoded: false)
        // As of a URL that was made for a folder.
        label = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    fileprivate var database: SQLiteDatabase {
        shared.withLock { database in
            let new = database ?? .shared(path: label)
            database = new
            return new
        }
    }

    /// The value kept under a name.
    ///
    /// - Throws: `PreferenceProblem` where the database or this one value cannot be read.
    public func value(for name: String) throws -> PreferenceValue? {
        try database.value(for: name, timeout: busyTimeout)
    }

    /// All names that a value is kept under.
    ///
    /// - Throws: `PreferenceProblem` where the database cannot be read.
    public func names() throws -> Set<String> {
        try database.names(timeout: busyTimeout)
    }

    /// Makes all changes of a batch, or none. They are on the disk when it returns.
    ///
    /// - Throws: `PreferenceProblem` where nothing was changed: the database cannot be read or written, another program
    ///   keeps it locked, or SQLite cannot keep a value of the batch, as it is too large or nested too deep. Where the
    ///   disk has failed in the middle of it the batch may, whole, be found to be made after all.
    public func apply(_ batch: PreferenceBatch) throws {
        try apply(batch, by: nil)
    }

    /// Applies a batch, as ``apply(_:)``, and notifies all observers but the writer.
    ///
    /// - Throws: As ``apply(_:)``.
    public func apply(_ batch: PreferenceBatch, by writer: PreferenceStoreObservation?) throws {
        guard !batch.isEmpty else { return }
        try database.apply(batch, by: writer?.parts.first, timeout: busyTimeout)
    }

    /// Makes a batch of changes from what is in the database at the moment, with no other thread and no other process
    /// changing it in between.
    ///
    /// ```swift
    /// try store.update { current in
    ///     guard case .int(let count)? = try current("visits") else { return ["visits": .set(1)] }
    ///     return ["visits": .set(.int(count + 1))]
    /// }
    /// ```
    ///
    /// The closure may also write to this store, which is done at once and stays whatever becomes of the batch; programs
    /// that know no `SQLiteStore` may write between that and what follows.
    ///
    /// - Parameter makeBatch: Gives the batch; an empty one changes nothing. `current` gives the value kept under a
    ///   name now, as ``value(for:)``; of a damaged database, what can still be read of it.
    /// - Throws: What the closure throws; and as ``apply(_:)``.
    public func update(
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        try update(by: nil, makeBatch)
    }

    /// Updates the database, as ``update(_:)``, and notifies all observers but the writer.
    ///
    /// - Throws: As ``update(_:)``.
    public func update(
        by writer: PreferenceStoreObservation?,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        try database.update(by: writer?.parts.first, timeout: busyTimeout, makeBatch)
    }

    /// Looks for what others have changed, and tells observers.
    ///
    /// - Throws: `PreferenceProblem` where the database cannot be read.
    public func reload() throws {
        if !database.isWatchable { database.watchIfObserved() }
        try database.look(busyTimeout)
    }

    /// Removes group and other permissions from the files of the database, now and with each write.
    ///
    /// A file that belongs to another user is reported and left as it is.
    ///
    /// - Returns: Problems with `secretsExposed` of the files that other users had access to.
    public func protectSecrets() -> [PreferenceProblem] {
        database.protectSecrets()
    }

    /// True, unless the system cannot watch the database: a user may watch so many files and no more (on Linux
    /// `fs.inotify.max_user_watches`), a folder must be readable for that, and of a network file system this machine hears
    /// nothing that others do.
    ///
    /// When it becomes another, observers are told of everything. The next ``observe(_:)`` and ``reload()`` try to watch
    /// it again.
    public var notifiesAllChanges: Bool { database.isWatchable }

    /// Has an observer told of changes after they were made: of those made through stores of this process before they
    /// return, by name; of those made by others, as `.everything`, as soon as the system tells of them, on another
    /// thread.
    ///
    /// It is also told what is wrong with the database: that it cannot be read, was damaged and set aside, or is on a
    /// network file system (`remoteFileSystem`). Of what the closure of ``update(_:)`` writes it is told at once, although
    /// others cannot write then: it may read.
    ///
    /// - Parameter observer: Is given the names whose values are others now, `.everything`, or a problem.
    public func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        database.observe(busyTimeout, observer)
    }
}

extension SQLiteStore: SharedBackendStore {
    package var backend: AnyObject { database }
}
