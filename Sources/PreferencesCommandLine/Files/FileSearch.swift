#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Finds the files with a suffix in a folder, at any depth.
///
/// Hidden files and folders are skipped, because build systems keep copies there. Symbolic links to folders are
/// followed, and each folder is visited once. Names are handled as bytes, so that a name that is not UTF-8 does not
/// hide other files.
package struct FileSearch {
    /// The paths of the files, relative to the folder, sorted.
    package private(set) var paths: [String] = []
    /// The errors for folders that cannot be read, and for files whose names are not UTF-8.
    package private(set) var fileErrors: [FileError] = []

    private let suffix: [UInt8]
    private var visited: Set<FileIdentity> = []

    package init(_ folder: String, suffix: String) {
        self.suffix = Array(suffix.utf8)
        visit([], in: Array(folder.utf8))
        paths.sort()
    }

    /// Visits a folder.
    ///
    /// - Parameter path: The path of the folder, relative to the root.
    private mutating func visit(_ path: [UInt8], in root: [UInt8]) {
        let place = path.isEmpty ? root : Self.join(root, path)
        guard let status = Self.status(of: place) else { return fail(place, errno) }
        guard visited.insert(FileIdentity(status)).inserted else { return }
        var names: [[UInt8]] = []
        do throws(FileError) { names = try Self.visibleNames(in: place) } catch { fileErrors.append(error) }
        for name in names {
            let inner = path.isEmpty ? name : Self.join(path, name)
            let status = Self.status(of: Self.join(root, inner))
            // The folder can be listed, but not searched.
            if status == nil, errno != ENOENT, errno != ELOOP {
                fail(Self.join(root, inner), errno)
                continue
            }
            switch status.map({ $0.st_mode & S_IFMT }) {
            case S_IFDIR: visit(inner, in: root)
            // Reading a dangling link reports the error later.
            case S_IFREG, nil:
                guard name.count > suffix.count, name.suffix(suffix.count) == suffix[...] else { continue }
                if let path = String(validating: inner, as: UTF8.self) {
                    paths.append(path)
                } else {
                    let place = String(escaping: Self.join(root, inner))
                    fileErrors.append(
                        FileError(operation: .read, path: place, reason: "its path is not UTF-8; rename it")
                    )
                }
            // Reading a pipe would block.
            default: continue
            }
        }
    }

    /// Returns the names in a folder, sorted. Closes the folder before nested ones are opened, to limit open
    /// descriptors.
    package static func visibleNames(in place: [UInt8]) throws(FileError) -> [[UInt8]] {
        guard let folder = opendir(place.map(CChar.init(bitPattern:)) + [0]) else { throw error(place, errno) }
        defer { closedir(folder) }
        var names: [[UInt8]] = []
        errno = 0
        while let entry = readdir(folder) {
            let name = name(of: entry)
            if name.first != FilePath.dot { names.append(name) }
            errno = 0
        }
        if errno != 0 { throw error(place, errno) }
        return names.sorted { $0.lexicographicallyPrecedes($1) }
    }

    private mutating func fail(_ place: [UInt8], _ code: Int32) { fileErrors.append(Self.error(place, code)) }

    private static func error(_ place: [UInt8], _ code: Int32) -> FileError {
        FileError(operation: .read, path: String(escaping: place), errno: code)
    }

    private static func join(_ folder: [UInt8], _ name: [UInt8]) -> [UInt8] {
        folder.last == FilePath.slash ? folder + name : folder + [FilePath.slash] + name
    }

    private static func status(of path: [UInt8]) -> stat? {
        FilePath.status(of: path.map(CChar.init(bitPattern:)) + [0])
    }

    private static func name(of entry: UnsafeMutablePointer<dirent>) -> [UInt8] {
        // The entry may be shorter than its type, which has room for the longest name.
        let start = UnsafeRawPointer(entry) + MemoryLayout<dirent>.offset(of: \.d_name)!
        return Array(UnsafeRawBufferPointer(start: start, count: strlen(start.assumingMemoryBound(to: CChar.self))))
    }
}
