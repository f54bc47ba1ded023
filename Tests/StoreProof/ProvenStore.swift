import Foundation
import PreferencesRuntime
import PreferencesSQLite

/// A store that is put to the proof.
enum ProvenStore: String, CaseIterable, Sendable {
    case fileImmediate = "file-immediate"
    case fileCoalesced = "file-coalesced"
    case sqlite

    // Stores at fault, each in one way. See `NaiveStore`.
    case writesInPlace = "writes-in-place"
    case splitsBatches = "splits-batches"
    case acknowledgesEarly = "acknowledges-early"
    case ignoresLocks = "ignores-locks"
    case overwritesDamage = "overwrites-damage"
    case retriesSync = "retries-sync"
    case neverSyncs = "never-syncs"

    static let sound: [ProvenStore] = [.fileImmediate, .fileCoalesced, .sqlite]
    static let faulty = allCases.filter { !sound.contains($0) }

    /// Makes the store.
    ///
    /// - Parameters:
    ///   - isAlone: Whether nobody else uses the file: a store that writes later waits to be told to, so that its system
    ///     calls come in the same order each time, and a database that is locked is not waited for.
    ///   - format: What its file is written as, where it has a choice.
    func open(_ url: URL, isAlone: Bool = false, format: FileStore.Format = .json) -> any PreferenceStore {
        switch self {
        case .fileImmediate: FileStore(url: url, format: format, durability: .immediate)
        // Less than by default, for more writes to be killed in.
        case .fileCoalesced:
            FileStore(url: url, format: format, durability: .coalesced(milliseconds: isAlone ? 3_600_000 : 5))
        case .sqlite: SQLiteStore(url: url, busyTimeout: isAlone ? .milliseconds(50) : .seconds(10))
        case .writesInPlace: NaiveStore(url: url, faults: .writesInPlace)
        case .splitsBatches: NaiveStore(url: url, faults: .splitsBatches)
        case .acknowledgesEarly: NaiveStore(url: url, faults: .acknowledgesEarly)
        case .ignoresLocks: NaiveStore(url: url, faults: .ignoresLocks)
        case .overwritesDamage: NaiveStore(url: url, faults: .overwritesDamage)
        case .retriesSync: NaiveStore(url: url, faults: .retriesSync)
        case .neverSyncs: NaiveStore(url: url, faults: .neverSyncs)
        }
    }

    /// Opens a store that knows nothing of what others of this process have read: those of one path share it.
    func openAnew(_ url: URL, isAlone: Bool = false, format: FileStore.Format = .json) -> any PreferenceStore {
        open(
            URL(filePath: "\(url.deletingLastPathComponent().path)/./\(url.lastPathComponent)"),
            isAlone: isAlone,
            format: format
        )
    }

    /// Whether setting is given to readers at once, and is on the disk only when `flush` returns.
    var isCoalescing: Bool { self == .fileCoalesced }

    private var isSound: Bool { Self.sound.contains(self) }

    /// Whether it keeps numbers and nothing else.
    var hasOnlyNumbers: Bool { !isSound }

    /// Whether a file keeps its permissions and extended attributes when it is written. The small ones at fault do
    /// without.
    var keepsAttributes: Bool { isSound }

    /// What its file is called.
    var fileName: String { self == .sqlite ? "preferences.sqlite" : "preferences.json" }

    /// Whether it is a database, which it changes piece by piece by way of a log.
    var isDatabase: Bool { self == .sqlite }

    /// What is in its file, as something reads it that knows nothing of the store.
    func plainContents(of url: URL) throws -> PlainContents {
        isDatabase ? try PlainDatabase.contents(of: url) : PlainContents(of: url)
    }

    /// What people call it.
    var title: String {
        switch self {
        case .fileImmediate: "`FileStore`, immediate"
        case .fileCoalesced: "`FileStore`, coalesced"
        case .sqlite: "`SQLiteStore`"
        default: rawValue
        }
    }
}
