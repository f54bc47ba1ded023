public import Foundation
import PreferencesSystem
import Synchronization

/// A store in a file: human-readable JSON, or a property list.
///
/// ```swift
/// let preferences = Preferences(store: FileStore(path: "/etc/weather.json"))
/// ```
///
/// An edit is written to the disk 50 ms after the first pending edit, or before ``flush()`` returns; with
/// ``Durability/immediate``, before the setter returns. ``update(_:)``, and so a transaction, always writes before it
/// returns.
///
/// The file is replaced atomically: the new contents are written to a temporary file in the same folder, synced, and
/// renamed. The file keeps its permissions and, if the system permits, its owner and extended attributes; only its user
/// has access to a new file. A symbolic link is kept, and its target replaced. Temporary files of a process that was
/// killed are removed by the next write.
///
/// Several processes can write the same file without losing edits: each holds an advisory lock while it writes
/// (`.NAME.lock`, beside the file), reads external changes first, and changes only the entries that it sets.
/// ``update(_:)`` holds the lock while it reads and writes. If another process holds the lock for longer than
/// ``lockTimeout``, the call throws ``PreferenceProblem/Code/storeBusy``.
///
/// Stores of the same path and format in one process share their contents and pending edits: each reads the others'
/// edits at once, their observers are notified before the setter returns, and the file is read, parsed and written once
/// for all of them. Pending edits are written at the latest when the last of these stores is released. Stores that
/// access one file by different paths (through a symbolic link), or in different formats, write immediately and read
/// each other's changes.
///
/// While the store has observers, such as ``Preferences``, external changes are read as soon as the system reports
/// them: changes of the file, of the folders above it, and of links in its path. Watching begins 250 ms after the store is
/// first observed, and finds earlier changes, so that a program that ends sooner need not end it. Without observers,
/// external changes are read by the next write or ``reload()``. If the system cannot watch the file, and on a network file system,
/// ``notifiesAllChanges`` is false, and each read reads the file.
///
/// On systems that suspend apps, a store writes pending edits when the app enters the background, and locks no file
/// until the app returns: see ``StoreSuspension``. Until the device has been unlocked for the first time after it
/// starts, a protected file cannot be read: reads throw ``PreferenceProblem/Code/storeUnreadable``, nothing is
/// overwritten, and the file is read after the device has been unlocked.
///
/// A missing file has no values; one that is found to be missing by watching it, after 250 ms, since another program may be
/// replacing it. The first write creates the file and its folder; a read never does. <doc:FileFaults>
/// describes the handling of damaged files and of failed writes, <doc:FileFormats> the contents of the file.
public final class FileStore: WriterExcludingStore, CapabilityDeclaringStore, SecretProtectingStore {
    /// The file URL.
    public let url: URL
    /// The format in which the file is written.
    public var format: Format { engine.format }
    /// The mapping of the file to names.
    public let layout: Layout
    /// When edits are written to the disk.
    public let durability: Durability
    /// The time that a call waits for the file's lock while another process holds it.
    public let lockTimeout: Duration

    /// The default ``lockTimeout``: 10 seconds.
    public static let defaultLockTimeout: Duration = .seconds(10)

    /// The file's path.
    public var label: String { engine.label }

    fileprivate let engine: FileStoreEngine

    /// Creates a store. The file is not accessed until the store is first read, written or observed.
    ///
    /// - Parameters:
    ///   - url: The file URL of the file, which need not exist yet. The program ends with any other URL.
    ///   - format: The format in which the file is written; by default `.xmlPropertyList` if the name ends in `.plist`,
    ///     `.jsonWithComments` if it ends in `.jsonc`, and `.json` otherwise.
    ///   - layout: The mapping of the file to names; by default ``Layout/flat``.
    ///   - durability: When edits are written; by default 50 ms after the first one.
    ///   - lockTimeout: The time that a call waits for the file's lock while another process holds it, before it throws
    ///     ``PreferenceProblem/Code/storeBusy``; ``defaultLockTimeout`` by default. With zero or less it does not wait.
    ///     Reads never wait. Setters whose edits are written later wait only for an update or a transaction on another
    ///     thread of this process.
    ///   - damageHandling: What a write does with a file that does not parse; by default ``DamageHandling/refuse`` for
    ///     `.jsonWithComments`, which people edit, and ``DamageHandling/setAside`` for other formats.
    public convenience init(
        url: URL,
        format: Format? = nil,
        layout: Layout = .flat,
        durability: Durability = .coalesced(milliseconds: 50),
        lockTimeout: Duration = FileStore.defaultLockTimeout,
        damageHandling: DamageHandling? = nil
    ) {
        self.init(
            url: url,
            format: format,
            layout: layout,
            durability: durability,
            lockTimeout: lockTimeout,
            damageHandling: damageHandling,
            watching: FileWatcher.Mechanism()
        )
    }

    /// Creates a store of the file with a path. The file is not accessed until the store is first read, written or
    /// observed.
    ///
    /// ```swift
    /// FileStore(path: "~/weather.plist")
    /// ```
    ///
    /// - Parameters:
    ///   - path: The path of the file, which need not exist yet. As for `URL(filePath:)`, a relative path begins at the
    ///     current working directory of the process, and `~` is the user's home folder.
    ///   - format: The format in which the file is written; by default that of the name's extension, as in
    ///     ``init(url:format:layout:durability:lockTimeout:damageHandling:)``.
    ///   - layout: The mapping of the file to names; by default ``Layout/flat``.
    ///   - durability: When edits are written; by default 50 ms after the first one.
    ///   - lockTimeout: The time that a call waits for the file's lock while another process holds it;
    ///     ``defaultLockTimeout`` by default.
    ///   - damageHandling: What a write does with a file that does not parse; the default depends on the format.
    public convenience init(
        path: String,
        format: Format? = nil,
        layout: Layout = .flat,
        durability: Durability = .coalesced(milliseconds: 50),
        lockTimeout: Duration = FileStore.defaultLockTimeout,
        damageHandling: DamageHandling? = nil
    ) {
        self.init(
            url: URL(filePath: path),
            format: format,
            layout: layout,
            durability: durability,
            lockTimeout: lockTimeout,
            damageHandling: damageHandling
        )
    }

    /// Returns this store if its file exists and can be read, for files that must be there.
    ///
    /// ```swift
    /// do {
    ///     let defaults = try FileStore(path: "defaults.plist").existing().readOnly
    /// } catch where error.code == .storeMissing {
    ///     …
    /// }
    /// ```
    ///
    /// - Throws: ``PreferenceProblem/Code/storeMissing`` if there is no file, ``PreferenceProblem/Code/storeMalformed``
    ///   if it does not parse, and ``PreferenceProblem/Code/storeUnreadable`` if it cannot be read for another reason.
    public func existing() throws(PreferenceProblem) -> FileStore {
        do {
            try engine.reload()
        } catch {
            throw PreferenceProblem(describing: error, or: .storeUnreadable, key: nil, store: label)
        }
        guard !engine.isFileMissing() else {
            throw PreferenceProblem(.storeMissing, store: label, message: "it does not exist", isMessagePublic: true)
        }
        return self
    }

    /// Creates a store of a file that is a single JSON value, stored under the name `value`.
    ///
    /// No other name is supported. A file without a value contains `null`, or does not exist.
    ///
    /// - Parameters:
    ///   - url: The file URL of the file, which need not exist yet. The program ends with any other URL.
    ///   - durability: When edits are written; by default 50 ms after the first one.
    ///   - lockTimeout: As in ``init(url:format:layout:durability:lockTimeout:damageHandling:)``.
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

    /// Creates a store of a file whose format is not a ``Format``, and which belongs to another program: a damaged file is
    /// left in its place.
    ///
    /// - Parameters:
    ///   - url: The file URL of the file, which need not exist yet. The program ends with any other URL.
    ///   - contents: The type of the parsed contents.
    ///   - durability: When edits are written.
    ///   - lockTimeout: As in ``init(url:format:layout:durability:lockTimeout:damageHandling:)``.
    package convenience init(
        url: URL,
        contents: any StoreFileContents.Type,
        durability: Durability,
        lockTimeout: Duration
    ) {
        self.init(
            url: url,
            format: .json,
            contents: contents,
            durability: durability,
            lockTimeout: lockTimeout,
            damageHandling: .refuse
        )
    }

    /// - Parameters:
    ///   - contents: The type of the parsed contents, if it is not that of the format.
    ///   - editingTime: See ``FileStoreEngine/editingTime``. The first store of a file decides.
    ///   - watching: The mechanism that watches the file. The first store of a file decides.
    ///   - protection: The data protection of the file. The first store of a file decides.
    init(
        url: URL,
        format: Format? = nil,
        layout: Layout = .flat,
        contents: (any StoreFileContents.Type)? = nil,
        durability: Durability,
        lockTimeout: Duration = FileStore.defaultLockTimeout,
        damageHandling: DamageHandling? = nil,
        editingTime: Double = 0.5,
        watching: FileWatcher.Mechanism = FileWatcher.Mechanism(),
        protection: DataProtection = .system
    ) {
        guard url.isFileURL else { fatalError("FileStore needs a file URL, not \(url)") }
        self.url = url
        self.layout = layout
        self.durability = durability
        self.lockTimeout = lockTimeout
        let path = Self.path(of: url)
        let format = format ?? Format(ofFileAt: FilePath(path))
        engine = FileStoreEngine.shared(
            path: path,
            format: format,
            contents: contents ?? format.contents(in: layout),
            durability: durability,
            editingTime: editingTime,
            watching: watching,
            protection: protection
        )
        if damageHandling ?? (format == .jsonWithComments ? .refuse : .setAside) == .refuse {
            engine.refusesDamagedFiles.store(true, ordering: .relaxed)
        }
    }

    deinit {
        engine.release()
    }

    static func path(of url: URL) -> String {
        let path = url.absoluteURL.path(percentEncoded: false)
        // The URL of a folder ends with a slash.
        return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    /// Returns the value that is stored under a name; nil if the name is not set.
    ///
    /// - Throws: ``PreferenceProblem`` if the file, or this one value, cannot be read.
    public func value(for name: String) throws -> PreferenceValue? {
        try engine.value(for: name)
    }

    /// Returns the names of all values.
    ///
    /// - Throws: ``PreferenceProblem`` if the file cannot be read.
    public func names() throws -> Set<String> {
        try engine.names()
    }

    /// Applies a batch completely or not at all, and notifies all observers but the writer.
    ///
    /// When it returns, reads return the new values; with ``Durability/immediate``, they are on the disk.
    ///
    /// - Throws: ``PreferenceProblem`` if nothing was changed: the file's format cannot represent a value or, with
    ///   ``Durability/immediate``, the file cannot be read or written. With ``PreferenceProblem/Code/notDurable``, the
    ///   batch was applied, but may not survive a power failure.
    public func apply(_ batch: PreferenceBatch, by writer: PreferenceStoreObservation?) throws {
        try engine.apply(batch, by: writer?.parts.first, durability: durability, lockTimeout: lockTimeout)
    }

    /// Applies a batch that is made from the values in the file, while no other thread changes it, and no other process
    /// that uses a ``FileStore``. The batch, and all edits before it, are on the disk when this returns.
    ///
    /// ```swift
    /// try store.update { current in
    ///     guard case .int(let count)? = try current("visits") else { return ["visits": .set(1)] }
    ///     return ["visits": .set(.int(count + 1))]
    /// }
    /// ```
    ///
    /// The closure may also write to this store. Such a write takes effect at once, whether or not the batch succeeds.
    /// The closure must not write to the file by another path or in another format.
    ///
    /// - Parameters:
    ///   - writer: The observation of the observer that writes, which is not notified; nil for none.
    ///   - makeBatch: Returns the batch; an empty one changes nothing. `current` returns the current value of a name,
    ///     as ``value(for:)``; if the file is damaged and will be set aside, the value that was read before, which
    ///     replaces it.
    /// - Throws: Any error of the closure; and as ``apply(_:by:)`` with ``Durability/immediate``.
    public func update(
        by writer: PreferenceStoreObservation?,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        try engine.update(by: writer?.parts.first, lockTimeout: lockTimeout, makeBatch)
    }

    /// Writes all pending edits to the disk before it returns, including those of other stores of the same path and
    /// format.
    ///
    /// - Throws: ``PreferenceProblem`` if they could not be written. Reads still return them, and the write is retried.
    public func flush() throws {
        try engine.flush(FileLockWait(timeout: lockTimeout))
    }

    /// Reads external changes from the file.
    ///
    /// - Throws: ``PreferenceProblem`` if the file cannot be read.
    public func reload() throws {
        try engine.reload()
    }

    /// Removes group and other permissions from the file now, after each write, and before each read.
    ///
    /// A file that another user owns, or that is reached through another user's link, is reported, and keeps its
    /// permissions until the next write.
    ///
    /// - Returns: A problem with ``PreferenceProblem/Code/secretsExposed`` if other users had access; otherwise an
    ///   empty array.
    public func protectSecrets() -> [PreferenceProblem] {
        engine.protectSecrets()
    }

    /// Whether the system watches the file. It does not if the user's limit of watched files is reached (on Linux
    /// `fs.inotify.max_user_watches`), if a folder cannot be read, and on a network file system, which does not report
    /// the changes of other machines.
    ///
    /// Another thread begins to watch the file when the store is first observed; until that has failed, the property is
    /// true. When it changes, observers receive ``PreferenceStoreChange/everything``. While it is false, each read
    /// reads the file; ``observe(_:)`` and ``reload()`` try again to watch it.
    public var notifiesAllChanges: Bool { engine.notifiesAllChanges }

    /// Returns the contents of the file without the pending edits, for stores that need more of them than values.
    ///
    /// - Throws: ``PreferenceProblem`` if the file cannot be read.
    package func contents() throws -> any StoreFileContents {
        try engine.currentContents()
    }

    /// Waits until the file is watched and external changes have been read, if the store is observed.
    package func waitUntilWatched() {
        engine.watcher.waitForCheck()
    }

    /// Notifies an observer of changes.
    ///
    /// Changes through this store, or another one in this process with the same path and format, are notified before
    /// the call that makes them returns; external changes when the system reports them, on another thread.
    ///
    /// If the file cannot be read for half a second, observers receive ``PreferenceStoreChange/unreadable(_:)``; reads
    /// return the previous values until the file is repaired. They receive ``PreferenceStoreChange/problem(_:)`` if
    /// edits could not be written yet, or a damaged file was set aside; without observers, these problems go to
    /// standard error.
    ///
    /// Edits that the closure of ``update(_:)`` makes in this store are notified at once, while the file is locked.
    ///
    /// - Parameter observer: Receives the names whose values have changed; `.everything` if changes may have been
    ///   missed; `.unreadable` or `.problem`.
    public func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        engine.observe(observer)
    }
}

extension FileStore: SharedBackendStore {
    package var backend: AnyObject { engine }
}

extension FileStore {
    /// The format of a store's file. See <doc:FileFormats>.
    public enum Format: Sendable, Hashable, CaseIterable {
        /// Human-readable JSON: one entry on each line, sorted, indented by two spaces.
        case json
        /// JSON with comments (`//` and `/* */`) and trailing commas, for files that people edit. Both are kept when the
        /// file is written.
        case jsonWithComments
        /// An XML property list. A binary file is also read, and written as XML.
        case xmlPropertyList
        /// A property list in Apple's binary format. An XML file is also read, and written as binary.
        case binaryPropertyList
    }
}

extension FileStore.Format {
    init(ofFileAt path: FilePath) {
        self =
            if path.hasExtension("plist") {
                .xmlPropertyList
            } else {
                path.hasExtension("jsonc") ? .jsonWithComments : .json
            }
    }

    func contents(in layout: FileStore.Layout) -> any StoreFileContents.Type {
        let flat: any ObjectContents.Type =
            switch self {
            case .json: JSONFileContents<StrictJSON>.self
            case .jsonWithComments: JSONFileContents<CommentedJSON>.self
            case .xmlPropertyList: PropertyListFileContents<XMLPropertyListFormat>.self
            case .binaryPropertyList: PropertyListFileContents<BinaryPropertyListFormat>.self
            }
        return layout == .flat ? flat : flat.nested
    }
}

extension FileStore {
    /// The mapping of a file to storage names.
    public enum Layout: Sendable, Hashable, CaseIterable {
        /// An object is only a dictionary: names are those in the file.
        case flat
        /// An object is a dictionary and also a namespace: the name of a member is the object's name, a colon and the
        /// member's name. These two files are therefore equivalent:
        ///
        /// ```json
        /// {"weather-service:temperature": 21.5, "weather-service:limits": {"low": -10, "high": 40}}
        /// {"weather-service": {"temperature": 21.5, "limits": {"low": -10, "high": 40}}}
        /// ```
        ///
        /// If two members result in one name, the outer one takes precedence: `"a:b"` of the file before `"b"` of its
        /// `"a"`. An object with an unsupported value, such as a number that is too large, cannot be read as a whole.
        ///
        /// A value is written where the file has it. A new one is written into the object of its namespace, which is
        /// added if it is missing, and removed with its last value, unless there are comments in it: an object that
        /// contains only comments is not a value. ``FileStore/names()`` returns the names of objects and those of their
        /// members.
        case nested
    }
}

extension FileStore {
    /// The handling of a file that does not parse by a write. Stores of one path, format and layout share it: if one of
    /// them refuses, all do.
    public enum DamageHandling: Sendable, Hashable {
        /// Keeps the file as `NAME.corrupt-DATE`, and replaces it with the values that were last read from it.
        case setAside
        /// Leaves the file as it is, for the person who edits it. Until it is repaired, setters that write at once throw
        /// ``PreferenceProblem/Code/storeMalformed``, and other edits stay pending; when the program ends, they are
        /// reported as lost.
        case refuse
    }
}

extension FileStore {
    /// When edits are written to the disk.
    public enum Durability: Sendable, Hashable {
        /// Before the setter returns. If the write fails, the setter throws, and the values are unchanged.
        case immediate
        /// On another thread, after a delay in milliseconds from the first pending edit, together with all edits since;
        /// with 0 or less, as soon as possible. Setting a value takes no longer than in memory.
        ///
        /// Reads return pending edits at once. They are written before ``FileStore/flush()`` returns, when the last
        /// store of the file is released, and when the program ends by `exit` or by returning from `main`. A program
        /// that is killed loses its edits since the last write; the file is intact, and contains each batch as a whole
        /// or not at all.
        ///
        /// The delay is extended until 20 times the processor time of the last write have passed, by 2 s at most, so
        /// that a program that sets values continuously spends at most a twentieth of one processor core on writing
        /// them. With 100,000 keys, whose write takes about 10 ms, values are on the disk after half a second instead
        /// of 50 ms. `flush()`, ``FileStore/update(_:)``, the release of the last store and the end of the program
        /// write immediately.
        case coalesced(milliseconds: Int)
    }
}

extension FileStore {
    /// Control characters in names for XML property lists, since XML cannot represent them; none for the other formats.
    public var unsupportedCapabilities: PreferenceStoreCapabilities {
        format == .xmlPropertyList ? .controlCharactersInNames : []
    }
}
