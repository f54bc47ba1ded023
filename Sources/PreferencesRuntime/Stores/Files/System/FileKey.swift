/// What a file is found by, be there one or not: paths that have a key in common lead to one file.
package enum FileKey: Hashable, Sendable {
    case path(String)
    /// Where links lead; not known while the folder is missing.
    case place(folder: FileIdentity, name: String)

    package static func keys(of path: String) -> Set<FileKey> {
        guard let entry = try? FolderEntry(following: path), let folder = try? entry.folder.identity() else {
            return [.path(path)]
        }
        return [.path(path), .place(folder: folder, name: entry.name)]
    }
}
