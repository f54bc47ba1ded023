/// Paths as text, which needs no file system.
enum FilePaths {
    /// A path relative to the folder of another.
    static func joined(folderOf path: String, _ relative: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return normalised(relative) }
        return normalised(path[...slash] + relative)
    }

    /// The path without `.`, and without `..` where it steps back from a folder that the path names.
    static func normalised(_ path: some StringProtocol) -> String {
        var components: [Substring] = []
        for component in path.split(separator: "/") where component != "." {
            if component == "..", let last = components.last, last != ".." {
                components.removeLast()
            } else {
                components.append(Substring(component))
            }
        }
        return (path.hasPrefix("/") ? "/" : "") + components.joined(separator: "/")
    }
}
