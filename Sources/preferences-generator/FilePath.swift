#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Paths as the command line gives them.
enum FilePath {
    /// The one form that all paths to a file have; `-`, which stands for a standard stream, stays what it is.
    static func canonical(_ path: String) -> String {
        path == "-" ? path : URL(filePath: path).standardizedFileURL.resolvingSymlinksInPath().path
    }

    /// The path of something in a folder, written as people would.
    static func join(_ folder: String, _ path: String) -> String {
        if folder == "." || folder.isEmpty { return path }
        if path == "." { return folder }
        return folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
    }

    /// The folder that a file is in.
    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
