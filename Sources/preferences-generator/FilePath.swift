#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

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

    /// Whether a path is a standard stream or a descriptor, such as a shell puts in place of `<(command)`, and gives a schema
    /// no name.
    static func isNameless(_ path: String) -> Bool {
        let isOfProcess = path.hasPrefix("/proc/") && path.split(separator: "/").dropLast().last == "fd"
        return path == "-" || path == "/dev/stdin" || path.hasPrefix("/dev/fd/") || isOfProcess
    }

    /// Whether there is anything at a path. Links are followed.
    static func exists(_ path: String) -> Bool { mode(of: path) != nil }

    /// Whether there is a folder at a path. Links are followed.
    static func isFolder(_ path: String) -> Bool { mode(of: path).map { $0 & S_IFMT } == S_IFDIR }

    /// Whether there is a file at a path, and not a folder, a pipe or a device. Links are followed.
    static func isFile(_ path: String) -> Bool { mode(of: path).map { $0 & S_IFMT } == S_IFREG }

    /// The type and the permissions of what is at a path, or nil where nothing is. Links are followed.
    static func mode(of path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode : nil
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
