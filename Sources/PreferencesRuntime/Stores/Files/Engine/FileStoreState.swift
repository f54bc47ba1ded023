/// What a store knows of its file, and what that is still to be given.
struct FileStoreState {
    var file = KnownFile.unread
    var unwritten = UnwrittenEdits()
    /// The network file system that the file was last said to be on.
    var toldFileSystem: RemoteFileSystem?
}
