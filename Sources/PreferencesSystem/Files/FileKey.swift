/// What a file is found by, be there one or not: paths that have a key in common lead to one file.
package enum FileKey: Hashable, Sendable {
    case path(String)
    /// Where links lead; not known while the folder is missing.
    case place(folder: FileIdentity, name: String)

    /// The keys of a path: one, or two if its folder exists.
    package static func keys(of path: String) -> [FileKey] {
        keys(of: path, leadingTo: try? FolderEntry(following: path))
    }

    /// - Parameter entry: The file that links lead to; nil if it cannot be found.
    package static func keys(of path: String, leadingTo entry: FolderEntry?) -> [FileKey] {
        guard let entry, let folder = try? entry.folder.identity() else { return [.path(path)] }
        return [.path(path), .place(folder: folder, name: entry.name)]
    }
}
