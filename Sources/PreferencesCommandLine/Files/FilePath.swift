#if canImport(Darwin)
    package import Darwin
#elseif canImport(Musl)
    package import Musl
#else
    package import Glibc
#endif

/// Functions on paths of the command line.
package enum FilePath {
    /// Whether a path is a standard stream or a descriptor, such as `<(command)` of a shell, which does not name a
    /// schema.
    package static func isUnnamed(_ path: String) -> Bool {
        let isOfProcess = path.hasPrefix("/proc/") && path.split(separator: "/").dropLast().last == "fd"
        return path == "-" || path == "/dev/stdin" || path.hasPrefix("/dev/fd/") || isOfProcess
    }

    /// Whether a file or folder exists. Links are followed.
    package static func exists(_ path: String) -> Bool { status(of: path) != nil }

    /// Whether a path is that of a folder. Links are followed.
    package static func isFolder(_ path: String) -> Bool { type(of: path) == S_IFDIR }

    /// Whether a path is that of a regular file. Links are followed.
    package static func isFile(_ path: String) -> Bool { type(of: path) == S_IFREG }

    /// Whether a path is a standard stream, a pipe or a device, where writing replaces nothing.
    package static func isStream(_ path: String) -> Bool {
        path == "-" || type(of: path).map { $0 != S_IFREG && $0 != S_IFDIR } ?? false
    }

    private static func type(of path: String) -> mode_t? { status(of: path).map { $0.st_mode & S_IFMT } }

    /// Returns the status of a file; `nil` on failure, with the reason in `errno`. Links are followed.
    package static func status(of path: UnsafePointer<CChar>) -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }

    /// Returns the end of a chain of links, whether or not it exists; `nil` if the chain is circular. The bytes may not
    /// be valid UTF-8.
    package static func destination(of path: String) -> [UInt8]? {
        var destination = Array(path.utf8)
        // Linux follows 40 links (path_resolution(7)).
        for _ in 0..<40 {
            var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
            let count = readlink(destination.map(CChar.init(bitPattern:)) + [0], &buffer, buffer.count)
            guard count >= 0 else { return destination }
            // A relative link is resolved against its own folder.
            let start = buffer[0] == slash ? 0 : destination.lastIndex(of: slash).map { $0 + 1 } ?? 0
            destination.replaceSubrange(start..., with: buffer[..<count])
        }
        return nil
    }

    package static let slash = UInt8(ascii: "/")
    package static let dot = UInt8(ascii: ".")

    /// Returns the path of a file in a folder, without redundant components.
    package static func join(_ folder: String, _ path: String) -> String {
        if folder == "." || folder.isEmpty { return path }
        if path == "." { return folder }
        return folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
    }

    /// Returns the folder of a file.
    package static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}

/// The identity of a file, which is the same for all paths that lead to it, whether or not it exists: the folder and
/// the name after all links are resolved. Hard links have different identities, because writing replaces only one of
/// them.
package struct FileIdentity: Hashable {
    private var device: dev_t
    private var number: ino_t
    /// The path components after the nearest existing folder.
    private var names: [[UInt8]] = []

    /// Creates the identity of an existing folder.
    package init(_ folder: stat) {
        device = folder.st_dev
        number = folder.st_ino
    }

    /// Creates the identity of a path. `-` is standard input, which can be a file.
    package init(_ path: String) {
        let path = path == "-" ? "/dev/stdin" : path
        var place = (FilePath.destination(of: path) ?? Array(path.utf8))[...]
        var folder = Self.folder(at: place)
        var rest: [ArraySlice<UInt8>] = []
        // A longer path is invalid.
        while folder == nil, place != [FilePath.dot], place != [FilePath.slash], place.count <= PATH_MAX {
            let slash = place.lastIndex(of: FilePath.slash)
            rest.append(slash.map { place[($0 + 1)...] } ?? place)
            place = slash.map { $0 == place.startIndex ? [FilePath.slash] : place[..<$0] } ?? [FilePath.dot]
            folder = Self.folder(at: place)
        }
        (device, number) = (folder?.st_dev ?? 0, folder?.st_ino ?? 0)
        names = folder == nil ? [Array(place)] : []
        for name in rest.reversed() where !name.isEmpty && name != [FilePath.dot] {
            if name == [FilePath.dot, FilePath.dot] { _ = names.popLast() } else { names.append(Array(name)) }
        }
    }

    private static func folder(at place: ArraySlice<UInt8>) -> stat? {
        guard let status = FilePath.status(of: place.map(CChar.init(bitPattern:)) + [0]) else { return nil }
        return status.st_mode & S_IFMT == S_IFDIR ? status : nil
    }
}

extension String {
    /// Creates a text from bytes, with invalid UTF-8 escaped as `\xE9`.
    package init(escaping bytes: some Sequence<UInt8>) {
        var text = ""
        var rest = Array(bytes)[...]
        while let byte = rest.first {
            // A scalar has at most four bytes.
            let length = (1...4).first { String(validating: rest.prefix($0), as: UTF8.self) != nil }
            text +=
                length.map { String(decoding: rest.prefix($0), as: UTF8.self) }
                ?? "\\x" + String(byte, radix: 16, uppercase: true)
            rest = rest.dropFirst(length ?? 1)
        }
        self = text
    }
}
