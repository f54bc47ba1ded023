#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The paths that the command line takes.
enum FilePath {
    /// The one form that all paths to a file have; `-`, which stands for a standard stream, stays what it is.
    static func canonical(_ path: String) -> String {
        path == "-" ? path : URL(filePath: path).standardizedFileURL.resolvingSymlinksInPath().path
    }

    /// Whether there is a folder at a path. Links are followed.
    static func isFolder(_ path: String) -> Bool {
        #if canImport(FoundationEssentials)
            var isFolder = false
            return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
        #else
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
        #endif
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
