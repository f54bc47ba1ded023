import Dispatch
import PreferencesSystem
import Synchronization

/// Reads and writes the file of all ``FileStore``s with one path and format.
///
/// Stores are handles of their engine, which exists until the last store has been released and the pending edits are
/// written.
package final class FileStoreEngine: Sendable {
    /// Stores with equal keys share an engine.
    ///
    /// Two paths of one file have separate engines, since a link in one of them may change its target.
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

    /// The cached contents and the pending edits. Never locked while the disk is accessed, so that reads do not wait
    /// for it.
    let state = Locked(FileStoreState())
    /// Held while the file is read or replaced. Acquired before `state`.
    let fileAccess = Locked<Void>(())
    /// Held while the file is changed, including the wait for another process's lock and the closure that makes a
    /// batch. Acquired before `fileAccess`. Reads never acquire it.
    let writing = RecursiveLock()
    /// Held while pending edits are added, and while a closure makes a batch. Acquired after `writing` and before
    /// `fileAccess`.
    let changing = RecursiveLock()
    /// The locked file; nil if this process does not hold its lock. Changed only while `writing` is held.
    let lockedFile = Locked<LockedStoreFile?>(nil)
    /// The temporary file that is reused by writes that setters wait for.
    let temporaryFile = RecycledTemporaryFile()
    /// Whether to reuse `temporaryFile`, because a store of this engine has used ``FileStore/Durability/immediate``.
    let recyclesTemporaryFile = Atomic(false)

    /// The queue on which pending edits are written. Each engine has its own, since a write may wait for the file's
    /// lock, and the threads of the global queues are limited.
    let writeQueue = DispatchQueue(label: "preferences.file-writer", qos: .utility)

    /// Whether the file contains secrets, so that only its owner may have access.
    let holdsSecrets = Atomic(false)
    /// The reported exposure of the file that could not be ended; nil if there is none.
    let reportedExposure = Locked<PreferenceProblem?>(nil)

    let observers = PreferenceStoreObservers()
    let watcher: FileWatcher
    let protection: DataProtection

    /// The keys by which other engines of the same file find this one.
    let registeredKeys = Locked<[FileKey]>([])
    /// Whether this engine is registered by the location of its file, and has no siblings. Changed only while the
    /// registry is locked.
    ///
    /// A new sibling clears this before it looks for pending edits, for which it locks the `state` of this engine. A
    /// thread that reads true after adding an edit has therefore added it before the sibling looks.
    let hasNoSiblings = Atomic(false)
    /// The number of stores that use this engine. Changed only while the registry is locked.
    let storeCount = Atomic(0)
    /// Whether a damaged file is left in its place, because a store of this engine has asked for that.
    let refusesDamagedFiles = Atomic(false)
    /// Whether pending edits were reported as lost.
    let hasReportedLoss = Atomic(false)
    /// Whether this engine makes its last write before the program ends.
    let hasEnded = Atomic(false)

    /// Whether the last store was released, or the program is ending, so that the next write is the last one.
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

/// The cached contents of a store's file, and the edits that are not in it yet.
struct FileStoreState {
    var file = FileState.unread
    var pendingEdits = PendingEdits()
    /// The process that has made the pending edits. A forked process has a copy of them.
    private var process = ForkCount.current
    /// The network file system that was last reported.
    var reportedFileSystem: RemoteFileSystem?
    /// The time at which the file was first found to be missing; nil if it is there, or its absence was published.
    var missingSince: DispatchTime?
    /// The time that a file is given to return: 250 ms. Between the two commands of `mv P P~; mv P.new P`, a shell needs
    /// a few milliseconds. Tests set another one.
    var missingFileDelay = DispatchTimeInterval.milliseconds(250)

    /// Whether the pending edits were made in this process, not in one that it was forked from.
    var isOwnedByThisProcess: Bool { process == ForkCount.current }

    /// Discards pending edits of the process that this one was forked from, which writes them itself.
    mutating func discardEditsOfParent() {
        if isOwnedByThisProcess { return }
        pendingEdits = PendingEdits()
        process = ForkCount.current
    }
}

/// The cached state of a store's file.
enum FileState {
    case unread
    case read(Snapshot)
    /// The file could not be read. Reads return values of the last snapshot.
    case failed(Failure, last: Snapshot?)

    struct Snapshot {
        var contents: any StoreFileContents
        /// The bytes of the file; nil if it is missing.
        var bytes: [UInt8]?
        var version: FileVersion?
        /// Whether this process has synced this version to the disk.
        var isDurable = false
        /// Whether the contents were read; false if they are empty because the file could never be read.
        var wasRead = true
    }

    /// The reason why a file cannot be read. A failure that recurs after a repair is a new object.
    final class Failure: Sendable {
        let problem: PreferenceProblem
        /// The bytes that cannot be parsed; nil if the file could not be read.
        let bytes: [UInt8]?
        /// The version that cannot be parsed, as it was first read; nil if the file could not be read.
        let version: FileVersion?
        fileprivate let notification = Locked(Notification.none)

        fileprivate init(_ problem: PreferenceProblem, in bytes: [UInt8]?, version: FileVersion?) {
            self.problem = problem
            self.bytes = bytes
            self.version = version
        }
    }

    /// The state of the notification of a failure.
    fileprivate enum Notification {
        case none
        case scheduled
        case sent
    }

    /// The snapshot of which reads return values; nil if there is none.
    var lastGood: Snapshot? {
        switch self {
        case .unread: nil
        case .read(let snapshot): snapshot
        case .failed(_, let last): last
        }
    }

    /// Records that the file cannot be read.
    mutating func fail(_ problem: PreferenceProblem, in bytes: [UInt8]? = nil, version: FileVersion? = nil) {
        if case .failed(let old, _) = self, old.problem == problem, old.bytes == bytes { return }
        self = .failed(Failure(problem, in: bytes, version: version), last: lastGood)
    }

    var failure: Failure? {
        if case .failed(let failure, _) = self { failure } else { nil }
    }

    /// Returns the failure of which observers are to be notified, and marks the notification as scheduled; nil if it
    /// was scheduled before, or if there are no cached contents, so that reads throw the failure themselves.
    func scheduleNotification() -> Failure? {
        guard case .failed(let failure, _?) = self else { return nil }
        return failure.notification.withLock { notification in
            guard notification == .none else { return nil }
            notification = .scheduled
            return failure
        }
    }

    /// Marks the notification of a failure as sent. Returns false if the failure is no longer current.
    func markNotified(of failure: Failure) -> Bool {
        guard case .failed(let current, _) = self, current === failure else { return false }
        failure.notification.withLock { $0 = .sent }
        return true
    }

    /// The problem of which observers have been notified, for observers that are added later.
    var notifiedProblem: PreferenceProblem? {
        guard case .failed(let failure, _) = self, failure.notification.withLock({ $0 == .sent }) else { return nil }
        return failure.problem
    }
}

/// The changes that a read or write of a store's file has found or made, for observers.
///
/// The conformance to `Sendable` is unchecked because the variables have no lock: one thread fills an instance, and may
/// then pass it to another one, which notifies the observers.
final class FileChanges: @unchecked Sendable {
    /// The names whose values have changed.
    var names: Set<String> = []
    /// The names whose values the writer has changed, of which it is not notified.
    var writerNames: Set<String> = []
    /// The observation of the observer that makes the changes; nil for none.
    let writer: PreferenceStoreObservation?
    /// The problems to report.
    var problems: [PreferenceProblem] = []
    /// The edits to report as lost.
    var losses: [PreferenceProblem] = []
    /// Whether this engine has replaced the file.
    var hasReplacedFile = false
    /// Whether a file that was there is given a moment to return, because another program may be replacing it.
    var waitsForMissingFile = false
    /// Whether the file was found to be missing, and was given that moment.
    var isFileAwaited = false

    init(by writer: PreferenceStoreObservation? = nil) {
        self.writer = writer
    }
}
