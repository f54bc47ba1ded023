import Dispatch
import Foundation
import PreferencesRuntime
import PreferencesSQLite
import Synchronization

/// A store to prove.
enum ProvenStore: String, CaseIterable, Sendable {
    case fileImmediate = "file-immediate"
    case fileCoalesced = "file-coalesced"
    case sqlite

    // Faulty stores. See `NaiveStore`.
    case writesInPlace = "writes-in-place"
    case splitsBatches = "splits-batches"
    case acknowledgesEarly = "acknowledges-early"
    case ignoresLocks = "ignores-locks"
    case overwritesDamage = "overwrites-damage"
    case retriesSync = "retries-sync"
    case neverSyncs = "never-syncs"

    static let sound: [ProvenStore] = [.fileImmediate, .fileCoalesced, .sqlite]
    static let faulty = allCases.filter { !sound.contains($0) }

    /// Opens the store.
    ///
    /// - Parameters:
    ///   - isExclusive: Whether no other process uses the file. A coalescing store then writes only when it is flushed,
    ///     so that the order of its system calls is reproducible, and a database does not wait for locks.
    ///   - format: The format of a `FileStore`. Default: JSON.
    func open(_ url: URL, isExclusive: Bool = false, format: FileStore.Format = .json) -> any PreferenceStore {
        switch self {
        case .fileImmediate: FileStore(url: url, format: format, durability: .immediate)
        // A shorter delay than the default gives more writes to interrupt.
        case .fileCoalesced:
            FileStore(url: url, format: format, durability: .coalesced(milliseconds: isExclusive ? 3_600_000 : 5))
        case .sqlite: SQLiteStore(url: url, busyTimeout: isExclusive ? .milliseconds(50) : .seconds(10))
        case .writesInPlace: NaiveStore(url: url, faults: .writesInPlace)
        case .splitsBatches: NaiveStore(url: url, faults: .splitsBatches)
        case .acknowledgesEarly: NaiveStore(url: url, faults: .acknowledgesEarly)
        case .ignoresLocks: NaiveStore(url: url, faults: .ignoresLocks)
        case .overwritesDamage: NaiveStore(url: url, faults: .overwritesDamage)
        case .retriesSync: NaiveStore(url: url, faults: .retriesSync)
        case .neverSyncs: NaiveStore(url: url, faults: .neverSyncs)
        }
    }

    /// Opens a store that does not share the cache of other stores for the same path.
    func openIndependently(_ url: URL, isExclusive: Bool = false, format: FileStore.Format = .json)
        -> any PreferenceStore
    {
        open(
            URL(filePath: "\(url.deletingLastPathComponent().path)/./\(url.lastPathComponent)"),
            isExclusive: isExclusive,
            format: format
        )
    }

    /// Whether changes are durable only when `flush` returns.
    var isCoalescing: Bool { self == .fileCoalesced }

    private var isSound: Bool { Self.sound.contains(self) }

    /// Whether the store supports only numbers.
    var storesOnlyNumbers: Bool { !isSound }

    /// Whether a write preserves permissions and extended attributes. Faulty stores do not.
    var preservesAttributes: Bool { isSound }

    /// The name of the file.
    var fileName: String { self == .sqlite ? "preferences.sqlite" : "preferences.json" }

    /// Whether the file is a database, which is changed in place with a log.
    var isDatabase: Bool { self == .sqlite }

    /// Returns the contents of the file, read independently of the store.
    func plainContents(of url: URL) throws -> PlainContents {
        isDatabase ? try PlainDatabase.contents(of: url) : PlainContents(of: url)
    }

    /// The name in the documentation.
    var title: String {
        switch self {
        case .fileImmediate: "`FileStore`, immediate"
        case .fileCoalesced: "`FileStore`, coalesced"
        case .sqlite: "`SQLiteStore`"
        default: rawValue
        }
    }
}

/// A store that does not notify of changes, so that `Preferences` read it each time.
struct SilentStore: WritablePreferenceStore {
    private let base: any PreferenceStore

    init(_ base: any PreferenceStore) {
        self.base = base
    }

    var label: String { base.label }
    func value(for name: String) throws -> PreferenceValue? { try base.value(for: name) }
    func names() throws -> Set<String> { try base.names() }
    func apply(_ batch: PreferenceBatch) throws { try base.commit(batch) }
    func flush() throws { try base.flush() }
    func reload() throws { try base.reload() }
}

/// The problems that a store reports while this object exists.
final class ReportedProblems: Sendable {
    private let log: Log
    private let observation: PreferenceStoreObservation

    init(of store: any PreferenceStore) {
        let log = Log()
        observation = store.observe { change in
            guard case .problem(let problem) = change else { return }
            log.problems.withLock { $0.append(problem) }
            log.isReported.signal()
        }
        self.log = log
    }

    private final class Log: Sendable {
        let problems = Mutex<[PreferenceProblem]>([])
        let isReported = DispatchSemaphore(value: 0)
    }

    var all: [PreferenceProblem] { log.problems.withLock { $0 } }

    /// Waits until a problem is reported.
    ///
    /// - Returns: Whether one was reported before the timeout.
    func wait(timeout seconds: Double) -> Bool {
        !all.isEmpty || log.isReported.wait(timeout: .now() + seconds) == .success
    }

    /// The path to which a damaged file was moved, according to a problem.
    var asidePath: String? {
        for problem in all where problem.code == .setAside {
            if let match = problem.message.firstMatch(of: #/set aside as (.+?)[;,]/#) { return String(match.1) }
        }
        return nil
    }
}

/// The accessors of an app.
extension PreferenceAccessors {
    var kept: Int64 { self.get("kept", default: 0) }
    var a: Int64 { self.get("a", default: 0) }
}
