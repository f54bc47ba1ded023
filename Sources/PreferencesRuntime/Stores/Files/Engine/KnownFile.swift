import PreferencesSystem

/// The cached state of a store's file.
enum KnownFile {
    case unread
    case read(Snapshot)
    /// With what was last good, which is still given to readers.
    case failed(Failure, last: Snapshot?)

    struct Snapshot {
        var contents: any StoreFileContents
        /// What the contents were read from or written as; nil where there is no file.
        var bytes: [UInt8]?
        var version: FileVersion?
        /// Whether this version is known to be on the disk: this store has synced it.
        var isDurable = false
        /// Whether these are contents of the file, and not those that it is given as nobody has read it.
        var wasRead = true
    }

    /// Why a file cannot be read, while it stays the same. A failure that recurs after a repair is a new one.
    final class Failure: Sendable {
        let problem: PreferenceProblem
        /// What does not parse; nil where the file could not even be read.
        let bytes: [UInt8]?
        /// The version that does not parse, when it was first read; nil where the file could not be read.
        let version: FileVersion?
        fileprivate let telling = Locked(Telling.unplanned)

        fileprivate init(_ problem: PreferenceProblem, in bytes: [UInt8]?, version: FileVersion?) {
            self.problem = problem
            self.bytes = bytes
            self.version = version
        }
    }

    /// Whether observers are told of a failure.
    fileprivate enum Telling {
        case unplanned
        case planned
        case done
    }

    /// What readers are given.
    var lastGood: Snapshot? {
        switch self {
        case .unread: nil
        case .read(let snapshot): snapshot
        case .failed(_, let last): last
        }
    }

    /// Notes why the file cannot be read.
    mutating func fail(_ problem: PreferenceProblem, in bytes: [UInt8]? = nil, version: FileVersion? = nil) {
        if case .failed(let old, _) = self, old.problem == problem, old.bytes == bytes { return }
        self = .failed(Failure(problem, in: bytes, version: version), last: lastGood)
    }

    var failure: Failure? {
        if case .failed(let failure, _) = self { failure } else { nil }
    }

    /// The failure for which readers are given what was read before, if nobody is to tell of it yet. Those who are given
    /// nothing find out for themselves.
    func planTelling() -> Failure? {
        guard case .failed(let failure, _?) = self else { return nil }
        return failure.telling.withLock { telling in
            guard telling == .unplanned else { return nil }
            telling = .planned
            return failure
        }
    }

    /// Notes that observers are told of a failure, unless the file has become another since.
    func tell(of failure: Failure) -> Bool {
        guard case .failed(let current, _) = self, current === failure else { return false }
        failure.telling.withLock { $0 = .done }
        return true
    }

    /// What observers were told, and those who come later were not.
    var toldProblem: PreferenceProblem? {
        guard case .failed(let failure, _) = self, failure.telling.withLock({ $0 == .done }) else { return nil }
        return failure.problem
    }
}
