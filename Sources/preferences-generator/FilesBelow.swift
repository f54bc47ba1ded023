#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The files in a folder, and in all folders below it, whose names end in a given way.
///
/// Hidden files and folders are skipped: build systems keep copies there. Symbolic links to folders are followed, and each
/// folder is visited once, however many links lead to it. Names are bytes until a file is found, so that a name that is not
/// UTF-8 does not keep other files from being found.
struct FilesBelow {
    /// Relative to the folder, sorted.
    private(set) var paths: [String] = []
    /// The folders that could not be read, and the files whose names are not UTF-8.
    private(set) var failures: [FileFailure] = []

    private let ending: [UInt8]
    private var visited: Set<FileIdentity> = []

    init(_ folder: String, ending: String) {
        self.ending = Array(ending.utf8)
        visit([], in: Array(folder.utf8))
        paths.sort()
    }

    /// - Parameter path: The folder's path, relative to the root.
    private mutating func visit(_ path: [UInt8], in root: [UInt8]) {
        let place = path.isEmpty ? root : Self.join(root, path)
        guard let status = Self.status(of: place) else { return fail(place, errno) }
        guard visited.insert(FileIdentity(status)).inserted else { return }
        for name in visibleNames(in: place) {
            let inner = path.isEmpty ? name : Self.join(path, name)
            let status = Self.status(of: Self.join(root, inner))
            // A folder that can be listed but not searched tells nothing of what is in it.
            if status == nil, errno != ENOENT, errno != ELOOP {
                fail(Self.join(root, inner), errno)
                continue
            }
            switch status.map({ $0.st_mode & S_IFMT }) {
            case S_IFDIR: visit(inner, in: root)
            // A link that leads nowhere is an error when it is read.
            case S_IFREG, nil:
                guard name.count > ending.count, name.suffix(ending.count) == ending[...] else { continue }
                if let path = String(validating: inner, as: UTF8.self) {
                    paths.append(path)
                } else {
                    let place = String(escaping: Self.join(root, inner))
                    failures.append(
                        FileFailure(operation: .read, path: place, reason: "its path is not UTF-8; rename it")
                    )
                }
            // Pipes would be waited for.
            default: continue
            }
        }
    }

    /// The names in a folder, sorted. The folder is closed before those in it are opened: processes can have few files open.
    private mutating func visibleNames(in place: [UInt8]) -> [[UInt8]] {
        guard let folder = opendir(place.map(CChar.init(bitPattern:)) + [0]) else {
            fail(place, errno)
            return []
        }
        defer { closedir(folder) }
        var names: [[UInt8]] = []
        errno = 0
        while let entry = readdir(folder) {
            let name = Self.name(of: entry)
            if name.first != FilePath.dot { names.append(name) }
            errno = 0
        }
        if errno != 0 { fail(place, errno) }
        return names.sorted { $0.lexicographicallyPrecedes($1) }
    }

    private mutating func fail(_ place: [UInt8], _ code: Int32) {
        failures.append(FileFailure(operation: .read, path: String(escaping: place), errno: code))
    }

    private static func join(_ folder: [UInt8], _ name: [UInt8]) -> [UInt8] {
        folder.last == FilePath.slash ? folder + name : folder + [FilePath.slash] + name
    }

    private static func status(of path: [UInt8]) -> stat? {
        FilePath.status(of: path.map(CChar.init(bitPattern:)) + [0])
    }

    private static func name(of entry: UnsafeMutablePointer<dirent>) -> [UInt8] {
        // The entry is as long as its name, and the type as the longest.
        let start = UnsafeRawPointer(entry) + MemoryLayout<dirent>.offset(of: \.d_name)!
        return Array(UnsafeRawBufferPointer(start: start, count: strlen(start.assumingMemoryBound(to: CChar.self))))
    }
}

extension String {
    /// Bytes that are text but in some places, with these as `\xE9`.
    init(escaping bytes: some Sequence<UInt8>) {
        var text = ""
        var rest = Array(bytes)[...]
        while let byte = rest.first {
            // No scalar has more than four bytes.
            let length = (1...4).first { String(validating: rest.prefix($0), as: UTF8.self) != nil }
            text +=
                length.map { String(decoding: rest.prefix($0), as: UTF8.self) }
                ?? "\\x" + String(byte, radix: 16, uppercase: true)
            rest = rest.dropFirst(length ?? 1)
        }
        self = text
    }
}
