import PreferencesCommandLine
import Synchronization

/// The files of a revision.
struct GitRevision: FileTree {
    /// The name of the revision, for messages.
    let name: String
    private let repository: GitRepository
    /// The files and links by their paths from the top of the repository. Paths are bytes, since they need not be UTF-8.
    private let entries: [[UInt8]: Entry]
    /// The names in each folder, sorted.
    private let names: [[UInt8]: [[UInt8]]]
    private let destinations = DestinationCache()

    private struct Entry {
        var object: String
        var isLink: Bool
    }

    /// The destinations of links that were read.
    private final class DestinationCache: Sendable {
        let paths = Mutex<[String: [UInt8]]>([:])
    }

    /// Reads the names of all files of a revision.
    ///
    /// - Parameters:
    ///   - revision: The revision, as for git.
    ///   - name: The name for messages. Default: the revision.
    init(_ revision: String, name: String? = nil, in repository: GitRepository) throws(Failure) {
        self.name = name ?? revision
        self.repository = repository
        var entries: [[UInt8]: Entry] = [:]
        var names: [[UInt8]: [[UInt8]]] = [[]: []]
        for line in try repository.entries(of: repository.commit(revision)).split(separator: 0) {
            // MODE TYPE OBJECT, a tab, and the path. A submodule is a commit, whose files are in another repository.
            guard let tab = line.firstIndex(of: 0x09) else { continue }
            let words = String(decoding: line[..<tab], as: UTF8.self).split(separator: " ")
            guard words.count == 3, words[1] == "blob" else { continue }
            let path = Array(line[(tab + 1)...])
            entries[path] = Entry(object: String(words[2]), isLink: words[0] == "120000")
            // Adds the name to its folder, and those of new folders to theirs.
            var place = path[...]
            while true {
                let slash = place.lastIndex(of: FilePath.slash)
                let name = Array(slash.map { place[($0 + 1)...] } ?? place)
                let folder = Array(slash.map { place[..<$0] } ?? [])
                let isNew = names[folder] == nil
                names[folder, default: []].append(name)
                guard isNew else { break }
                place = folder[...]
            }
        }
        self.entries = entries
        self.names = names.mapValues { $0.sorted { $0.lexicographicallyPrecedes($1) } }
    }

    /// Throws a failure if a path is outside the repository.
    func requireInside(_ path: String) throws(Failure) { _ = try repository.components(of: path) }

    // MARK: - Files

    func exists(_ path: String) throws(FileError) -> Bool { try place(of: path) != nil }

    func isFolder(_ path: String) throws(FileError) -> Bool { try place(of: path).map { names[$0] != nil } ?? false }

    func contents(of path: String) throws(FileError) -> [UInt8] {
        guard let place = try place(of: path) else { throw error(path, "the revision does not have it") }
        guard let entry = entries[place] else { throw error(path, "it is a folder") }
        return try blob(entry, path)
    }

    func paths(in folder: String, suffix: String) throws(FileError) -> [String] {
        guard let place = try place(of: folder) else { return [] }
        var found: [String] = []
        var visited: Set<[UInt8]> = []
        let suffix = Array(suffix.utf8)
        func visit(_ place: [UInt8], as path: [UInt8]) throws(FileError) {
            guard visited.insert(place).inserted else { return }
            for name in names[place] ?? [] where name.first != FilePath.dot {
                let inner = path.isEmpty ? name : path + [FilePath.slash] + name
                // A link that leads nowhere, or out of the repository, is none of the revision's schemas.
                guard let place = try resolved(Self.components(of: place) + [name], folder) else { continue }
                if names[place] != nil {
                    try visit(place, as: inner)
                } else if name.count > suffix.count, name.suffix(suffix.count) == suffix[...],
                    // No tool could read a file with another name.
                    let path = String(validating: inner, as: UTF8.self)
                {
                    found.append(path)
                }
            }
        }
        try visit(place, as: [])
        return found.sorted()
    }

    func names(in folder: String) throws(FileError) -> [String] {
        guard let place = try place(of: folder), let names = names[place] else {
            throw error(folder, "the revision does not have it")
        }
        var found: [String] = []
        for name in names where name.first != FilePath.dot {
            guard try resolved(Self.components(of: place) + [name], folder) != nil else { continue }
            if let name = String(validating: name, as: UTF8.self) { found.append(name) }
        }
        return found
    }

    /// Returns the contents of a file or link.
    ///
    /// - Parameter path: The path for the error.
    private func blob(_ entry: Entry, _ path: String) throws(FileError) -> [UInt8] {
        do throws(Failure) {
            return try repository.blob(entry.object)
        } catch {
            throw self.error(path, error.message)
        }
    }

    private func error(_ path: String, _ reason: String) -> FileError {
        FileError(operation: .read, path: "\(name):\(path)", reason: reason)
    }

    // MARK: - Links

    /// Returns the path from the top of the repository of an existing file or folder, with all links resolved; nil if
    /// there is none in the revision.
    private func place(of path: String) throws(FileError) -> [UInt8]? {
        guard let components = try? repository.components(of: path) else { return nil }
        return try resolved(components, path)
    }

    /// Returns the path of an existing file or folder with all links resolved; nil if there is none in the revision.
    ///
    /// - Parameter path: The path for errors.
    private func resolved(_ components: [[UInt8]], _ path: String) throws(FileError) -> [UInt8]? {
        var pending = Array(components.reversed())
        var place: [UInt8] = []
        var linkCount = 0
        while let name = pending.popLast() {
            if name == [FilePath.dot] { continue }
            if name == [FilePath.dot, FilePath.dot] {
                if place.isEmpty { return nil }
                place = place.lastIndex(of: FilePath.slash).map { Array(place[..<$0]) } ?? []
                continue
            }
            let next = place.isEmpty ? name : place + [FilePath.slash] + name
            guard let entry = entries[next], entry.isLink else {
                place = next
                continue
            }
            linkCount += 1
            // Linux follows 40 links (path_resolution(7)).
            guard linkCount <= 40 else { return nil }
            let known = destinations.paths.withLock { $0[entry.object] }
            let destination = if let known { known } else { try blob(entry, path) }
            destinations.paths.withLock { $0[entry.object] = destination }
            if destination.first == FilePath.slash { return nil }
            pending += Self.components(of: destination).reversed()
        }
        return entries[place] != nil || names[place] != nil ? place : nil
    }

    private static func components(of path: [UInt8]) -> [[UInt8]] {
        path.split(separator: FilePath.slash).map(Array.init)
    }
}
