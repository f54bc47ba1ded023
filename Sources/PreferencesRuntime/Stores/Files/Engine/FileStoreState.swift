import PreferencesSystem

/// What a store knows of its file, and what that is still to be given.
struct FileStoreState {
    var file = KnownFile.unread
    var unwritten = UnwrittenEdits()
    /// The process that has set what is unwritten. One that was forked from it has a copy.
    private var process = ForkCount.current
    /// The network file system that the file was last said to be on.
    var toldFileSystem: RemoteFileSystem?

    /// Whether what is unwritten was set in this process, and not in the one that it was forked from, which writes it.
    var isOfThisProcess: Bool { process == ForkCount.current }

    /// Leaves what is unwritten to the process that has set it.
    mutating func leaveEditsToParent() {
        if isOfThisProcess { return }
        unwritten = UnwrittenEdits()
        process = ForkCount.current
    }
}
