/// Something that has a part in what is read at a path, and whose changes are to be heard of.
struct WatchPoint: Hashable, Sendable {
    enum Kind: Hashable {
        /// A folder or a link that the path goes through: whether it is moved away or removed.
        case place
        /// A folder: whether its entry of this name comes, goes, or becomes readable.
        case entry(String)
        /// A file: whether something is written to it.
        case contents
    }

    let path: String
    let kind: Kind
    /// Of what was at the path: another in its place is another point.
    let identity: FileIdentity
}
