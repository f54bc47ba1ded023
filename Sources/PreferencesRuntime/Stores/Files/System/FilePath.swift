#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A file's place, split into what writing it takes.
package struct FilePath: Hashable, Sendable {
    package let folder: String
    package let name: String

    package init(_ path: String) {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        name = slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
    }

    package var path: String { sibling(name) }

    /// Locked while the file is changed.
    package var lockPath: String { sibling(".\(name).lock") }

    /// Where the file's next contents are written, before they take its place. Another each time.
    package func makeTemporaryPath() -> String {
        sibling(temporaryPrefix + String(UInt64.random(in: .min ... .max), radix: 36))
    }

    private var temporaryPrefix: String { ".\(name).tmp-" }

    /// All such paths that there is something at.
    package func temporaryPaths() throws(SystemError) -> [String] {
        guard let entries = opendir(folder) else {
            throw SystemError(operation: "list", path: folder, code: errno)
        }
        defer { closedir(entries) }
        let prefix = Array(temporaryPrefix.utf8)
        var paths: [String] = []
        while let entry = readdir(entries) {
            // The name's bytes are looked at where they are: a folder may have thousands, and each write looks.
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                bytes.starts(with: prefix) ? String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) : nil
            }
            if let name { paths.append(sibling(name)) }
        }
        return paths
    }

    private func sibling(_ name: String) -> String {
        folder == "/" ? "/\(name)" : "\(folder)/\(name)"
    }

    /// As many links as Linux follows.
    static let maximumLinkCount = 40

    /// The place that a symbolic link leads to, over any number of links, be there a file or not; itself for any other.
    package func followingLinks() throws(SystemError) -> FilePath {
        var current = self
        for _ in 0..<Self.maximumLinkCount {
            guard let target = try Self.linkTarget(of: current.path) else { return current }
            current = FilePath(target.hasPrefix("/") ? target : "\(current.folder)/\(target)")
        }
        throw SystemError(operation: "follow the links of", path: path, code: ELOOP)
    }

    /// What a symbolic link says, which may be relative to its folder; nil where there is none.
    static func linkTarget(of path: String) throws(SystemError) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        do throws(SystemError) {
            let length = try SystemError.check("follow the link", path) {
                buffer.withUnsafeMutableBytes {
                    readlink(path, $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count)
                }
            }
            guard let target = String(validating: buffer[..<length], as: UTF8.self) else {
                // Paths are text here, and another text would be another place.
                throw SystemError(operation: "follow the link", path: path, code: EILSEQ)
            }
            return target
        } catch {
            // No link, or nothing there.
            if [EINVAL, ENOENT, ENOTDIR].contains(error.code) { return nil }
            throw error
        }
    }

    /// Makes the folder, and those it is in, where they are missing. Only its owner may enter what is made.
    package func makeFolder() throws(SystemError) {
        try Self.makeFolder(folder)
    }

    private static func makeFolder(_ folder: String) throws(SystemError) {
        if try FileIdentity.current(folder) != nil { return }
        let parent = FilePath(folder).folder
        if parent != folder { try makeFolder(parent) }
        do {
            try SystemError.check("make the folder", folder) { mkdir(folder, 0o700) }
        } catch {
            // Another process may have been faster.
            if error.code != EEXIST { throw error }
        }
        do throws(SystemError) {
            try OpenFile(parent, O_RDONLY | O_DIRECTORY).synchronizeFolder()
        } catch {
            // One may make folders where one may not read, and so not sync.
            if error.code != EACCES { throw error }
        }
    }
}
