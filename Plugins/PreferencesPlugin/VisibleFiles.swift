import Foundation

/// Finds the files below a folder of the package's folder `Schemas`, by how their names end.
///
/// Links to folders are followed, and the files behind them have paths that go through the links. A folder that several
/// links lead to counts once: under its own path if that is below the folder too, otherwise under the first link. Hidden
/// files and folders are passed over.
///
/// - Parameter name: The name of the folder inside `Schemas`.
/// - Returns: The files in no particular order; none when there is no such folder.
/// - Throws: ``LinkError``, or what keeps a folder from being read.
func visibleFiles(below name: String, packageDirectory: URL, endingWith suffix: String) throws -> [URL] {
    let schemas = packageDirectory.appending(path: schemasFolder)
    let folder = schemas.appending(path: name)
    var ancestors = [packageDirectory.realPath]
    for place in [schemas, folder] {
        guard let entry = try DirectoryEntry(at: place, ancestors: ancestors), entry.isFolder else { return [] }
        ancestors.append(place.realPath)
    }
    var files: [[String]: [URL]] = [:]
    try collectFiles(in: folder, ancestors: ancestors, isLinked: false, endingWith: suffix, into: &files)
    return files.values.flatMap(\.self)
}

/// Adds the files of a folder, and of those below it.
///
/// - Parameters:
///   - ancestors: The real paths of the folders that were walked through to get here, this one included.
///   - isLinked: Whether a link was followed on the way.
///   - files: The files by the real paths of their folders.
private func collectFiles(
    in folder: URL,
    ancestors: [[String]],
    isLinked: Bool,
    endingWith suffix: String,
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
                endingWith: suffix,
                into: &files
            )
        } else if name.hasSuffix(suffix) {
            files[realPath, default: []].append(url)
        }
    }
}

/// The file or folder at a path, or at the end of the symbolic links there.
struct DirectoryEntry {
    let isFolder: Bool
    let isLink: Bool

    /// - Parameter ancestors: The real paths of the folders that were walked through to get here.
    /// - Returns: `nil` where there is nothing, not even a link.
    init?(at url: URL, ancestors: [[String]]) throws(LinkError) {
        let path = url.nativePath
        let destination = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            if let destination { throw .leadsNowhere(link: path, destination: destination) }
            return nil
        }
        isFolder = isDirectory.boolValue
        isLink = destination != nil
        let realPath = url.realPath
        if isFolder, isLink, ancestors.contains(where: { $0.starts(with: realPath) }) {
            throw .leadsBack(link: path, folder: url.resolvingSymlinksInPath().path)
        }
    }
}

/// A link in the package's folder `Schemas` that cannot be followed.
enum LinkError: Error, CustomStringConvertible {
    /// There is nothing at its end, and the native build system might not notice what comes there later.
    case leadsNowhere(link: String, destination: String)

    /// It leads to a folder that it is in itself. The native build system would follow it until its path is too long.
    case leadsBack(link: String, folder: String)

    var description: String {
        switch self {
        case .leadsNowhere(let link, let destination):
            "'\(link.printable)' is a link to '\(destination.printable)', where no file or folder can be found; "
                + "correct or remove it"
        case .leadsBack(let link, let folder):
            "'\(link.printable)' is a link back to '\(folder.printable)', which it is in; "
                + "remove it, or link to another folder"
        }
    }
}

extension URL {
    /// The components of the path that leads here without links.
    var realPath: [String] {
        resolvingSymlinksInPath().pathComponents
    }
}
