#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The paths that the command line takes.
enum FilePath {
    /// Whether a path is a standard stream or a descriptor, such as a shell puts in place of `<(command)`, and gives a schema
    /// no name.
    static func isNameless(_ path: String) -> Bool {
        let isOfProcess = path.hasPrefix("/proc/") && path.split(separator: "/").dropLast().last == "fd"
        return path == "-" || path == "/dev/stdin" || path.hasPrefix("/dev/fd/") || isOfProcess
    }

    /// Whether there is anything at a path. Links are followed.
    static func exists(_ path: String) -> Bool { status(of: path) != nil }

    /// Whether there is a folder at a path. Links are followed.
    static func isFolder(_ path: String) -> Bool { type(of: path) == S_IFDIR }

    /// Whether there is a file at a path, and not a folder, a pipe or a device. Links are followed.
    static func isFile(_ path: String) -> Bool { type(of: path) == S_IFREG }

    /// Whether a path is a standard stream, a pipe or a device: what is written there takes nothing's place.
    static func isStream(_ path: String) -> Bool {
        path == "-" || type(of: path).map { $0 != S_IFREG && $0 != S_IFDIR } ?? false
    }

    private static func type(of path: String) -> mode_t? { status(of: path).map { $0.st_mode & S_IFMT } }

    /// The status of what is at a path, or nil, with the reason in `errno`. Links are followed.
    static func status(of path: UnsafePointer<CChar>) -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }

    /// The end of a chain of links, whether or not anything is there; nil where the chain has no end. Its bytes may be no
    /// UTF-8.
    static func destination(of path: String) -> [UInt8]? {
        var destination = Array(path.utf8)
        // Linux follows 40 links (path_resolution(7)).
        for _ in 0..<40 {
            var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
            let count = readlink(destination.map(CChar.init(bitPattern:)) + [0], &buffer, buffer.count)
            guard count >= 0 else { return destination }
            // A relative link goes out from the folder that it is in.
            let start = buffer[0] == slash ? 0 : destination.lastIndex(of: slash).map { $0 + 1 } ?? 0
            destination.replaceSubrange(start..., with: buffer[..<count])
        }
        return nil
    }

    static let slash = UInt8(ascii: "/")
    static let dot = UInt8(ascii: ".")

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
