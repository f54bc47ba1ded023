import Foundation

/// Finds the files with a suffix in a folder of `Schemas`, at any depth.
///
/// Links to folders are followed, and paths of files contain the links. A folder that is reachable through several
/// links is visited once: under its own path if possible, otherwise under the first link. Hidden files and folders are
/// skipped.
///
/// - Parameter name: The name of the folder in `Schemas`.
/// - Returns: The files, unsorted; none if the folder does not exist.
/// - Throws: A ``LinkError``, or an error in reading a folder.
func findFiles(in name: String, packageDirectory: URL, suffix: String) throws -> [URL] {
    let schemas = packageDirectory.appending(path: schemasFolder)
    let folder = schemas.appending(path: name)
    var ancestors = [packageDirectory.realPath]
    for location in [schemas, folder] {
        guard let entry = try DirectoryEntry(at: location, ancestors: ancestors), entry.isFolder else { return [] }
        ancestors.append(location.realPath)
    }
    var files: [[String]: [URL]] = [:]
    try collectFiles(in: folder, ancestors: ancestors, isLinked: false, suffix: suffix, into: &files)
    return files.values.flatMap(\.self)
}

/// Adds the files of a folder, and of all folders in it.
///
/// - Parameters:
///   - ancestors: The real paths of the visited folders, including this one.
///   - isLinked: Whether the path contains a link.
///   - files: The files, by the real paths of their folders.
private func collectFiles(
    in folder: URL,
    ancestors: [[String]],
    isLinked: Bool,
    suffix: String,
    into files: inout [[String]: [URL]]
) throws {
    let realPath = folder.realPath
    if isLinked, files[realPath] != nil { return }
    files[realPath] = []
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.nativePath).sorted() {
        let url = folder.appending(path: name)
        guard !name.hasPrefix("."), let entry = try DirectoryEntry(at: url, ancestors: ancestors) else { continue }
        if entry.isFolder {
            let isLinked = isLinked || entry.isLink
            try collectFiles(
                in: url,
                ancestors: ancestors + [url.realPath],
                isLinked: isLinked,
                suffix: suffix,
                into: &files
            )
        } else if name.hasSuffix(suffix) {
            files[realPath, default: []].append(url)
        }
    }
}

/// A file or folder. Links are followed.
struct DirectoryEntry {
    let isFolder: Bool
    let isLink: Bool

    /// Returns the entry at a URL; `nil` if there is neither a file nor a link.
    ///
    /// - Parameter ancestors: The real paths of the visited folders.
    init?(at url: URL, ancestors: [[String]]) throws(LinkError) {
        let path = url.nativePath
        let destination = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            if let destination { throw .dangling(link: path, destination: destination) }
            return nil
        }
        isFolder = isDirectory.boolValue
        isLink = destination != nil
        let realPath = url.realPath
        if isFolder, isLink, ancestors.contains(where: { $0.starts(with: realPath) }) {
            throw .circular(link: path, folder: url.resolvingSymlinksInPath().path)
        }
    }
}

/// A link in `Schemas` that cannot be followed.
enum LinkError: Error, CustomStringConvertible {
    /// The destination does not exist. The native build system may not notice when it is created.
    case dangling(link: String, destination: String)

    /// The destination contains the link. The native build system would follow it until the path is too long.
    case circular(link: String, folder: String)

    var description: String {
        switch self {
        case .dangling(let link, let destination):
            "'\(link.printable)' is a link to '\(destination.printable)', which does not exist; "
                + "correct or remove it"
        case .circular(let link, let folder):
            "'\(link.printable)' is a link to '\(folder.printable)', which contains it; "
                + "remove it, or link to another folder"
        }
    }
}

extension URL {
    /// The path components after all links are resolved.
    var realPath: [String] {
        resolvingSymlinksInPath().pathComponents
    }
}
