/// A path, split into its folder and the name in it.
package struct FilePath: Hashable, Sendable {
    package let folder: String
    package let name: String

    package init(_ path: String) {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        name = slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
    }

    package var path: String { sibling(name) }

    /// Whether the name has an extension, in any case. `URL.pathExtension` is slower: it takes a microsecond.
    ///
    /// - Parameter text: The extension in lower case, without the dot.
    package func hasExtension(_ text: String) -> Bool {
        let suffix = ".\(text)"
        return name.utf8.count > suffix.utf8.count && name.lowercased().hasSuffix(suffix)
    }

    /// The path of the file's lock file.
    package var lockPath: String { sibling(".\(name).lock") }

    private func sibling(_ name: String) -> String {
        folder == "/" ? "/\(name)" : "\(folder)/\(name)"
    }

    /// The greatest number of links that are followed, as on Linux: 40.
    static let maximumLinkCount = 40

    /// Returns the names in a path, the last one first.
    static func reversedNames(in path: String) -> [String] {
        path.split(separator: "/").filter { $0 != "." }.reversed().map(String.init)
    }

    /// Returns the path of the file that this one leads to, over any number of links; this path if a folder is missing.
    ///
    /// - Throws: ``SystemError`` as ``FolderEntry/init(following:makingFolders:)``.
    package func followingLinks() throws(SystemError) -> FilePath {
        do throws(SystemError) {
            return FilePath(try FolderEntry(following: path).path)
        } catch {
            if [ENOENT, ENOTDIR].contains(error.code) { return self }
            throw error
        }
    }

    /// Returns the target of a symbolic link, which may be relative to the link's folder; nil if there is no link.
    ///
    /// - Parameter read: Reads the target, as readlink(2).
    static func linkTarget(
        of path: String,
        _ read: (UnsafeMutablePointer<CChar>, Int) -> Int
    ) throws(SystemError) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        do throws(SystemError) {
            let length = try SystemError.check(.followLink, path) {
                buffer.withUnsafeMutableBytes { read($0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count) }
            }
            guard let target = String(validating: buffer[..<length], as: UTF8.self) else {
                // Paths are strings here; a repaired string would be another path.
                throw SystemError(operation: .followLink, path: path, code: EILSEQ)
            }
            return target
        } catch {
            // Not a link, or no file.
            if [EINVAL, ENOENT, ENOTDIR].contains(error.code) { return nil }
            throw error
        }
    }
}
