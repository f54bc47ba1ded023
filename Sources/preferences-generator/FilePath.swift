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
}
