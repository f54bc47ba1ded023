/// What a store knows of its file.
enum FileStoreState {
    case unread
    case read(Snapshot)
    /// With the bytes that do not parse, nil where they could not even be read; and with what was last good, which is
    /// still given to readers.
    case failed(PreferenceProblem, bytes: [UInt8]?, last: Snapshot?)

    struct Snapshot {
        var contents: any StoreFileContents
        /// What the contents were read from or written as; nil where there is no file.
        var bytes: [UInt8]?
    }

    /// What readers are given.
    var lastGood: Snapshot? {
        switch self {
        case .unread: nil
        case .read(let snapshot): snapshot
        case .failed(_, _, let last): last
        }
    }
}
