/// What a store knows of its file.
enum FileStoreState {
    case unread
    case read(Snapshot)
    /// With what was last good, which is still given to readers.
    case failed(Failure, last: Snapshot?)

    struct Snapshot {
        var contents: any StoreFileContents
        /// What the contents were read from or written as; nil where there is no file.
        var bytes: [UInt8]?
    }

    struct Failure: Equatable {
        let problem: PreferenceProblem
        /// What does not parse; nil where the file could not even be read.
        let bytes: [UInt8]?
        /// Whether observers know of it.
        var isTold = false
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
    mutating func fail(_ problem: PreferenceProblem, bytes: [UInt8]?) {
        var failure = Failure(problem: problem, bytes: bytes)
        if case .failed(let old, _) = self, old.problem == problem, old.bytes == bytes { failure.isTold = old.isTold }
        self = .failed(failure, last: lastGood)
    }

    /// Why readers are given what was read before, if observers do not know of that. Those who are given nothing find
    /// out for themselves.
    var untoldFailure: Failure? {
        guard case .failed(let failure, _?) = self, !failure.isTold else { return nil }
        return failure
    }

    /// Notes that observers are told of a failure, unless the file has become another since.
    mutating func tell(of failure: Failure) -> Bool {
        guard untoldFailure == failure else { return false }
        var told = failure
        told.isTold = true
        self = .failed(told, last: lastGood)
        return true
    }
}
