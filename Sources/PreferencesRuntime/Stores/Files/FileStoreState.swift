/// What a store knows of its file, and what that is still to be given.
struct FileStoreState {
    var file = KnownFile.unread
    var unwritten = UnwrittenEdits()
}
