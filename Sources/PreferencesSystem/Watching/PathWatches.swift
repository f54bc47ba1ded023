/// The system's watches on points, for as long as the object exists.
///
/// Each platform has an implementation, which calls a closure on any thread, and perhaps too often, after an event at a
/// point.
protocol PathWatches: AnyObject, Sendable {
    /// Replaces all watches with watches on these points.
    ///
    /// - Returns: Whether every later event at them is reported. A point that no longer exists does not count: the
    ///   caller finds its replacement when it searches again.
    func replace(with points: Set<WatchPoint>) -> Bool
}

#if canImport(Darwin)
    typealias SystemPathWatches = DispatchPathWatches
#else
    typealias SystemPathWatches = InotifyPathWatches
#endif

/// A file, folder or link whose changes can affect what is read at a path.
struct WatchPoint: Hashable, Sendable {
    enum Kind: Hashable {
        /// A folder or a link on the path. It can be moved or removed.
        case pathComponent
        /// A folder whose entry of this name can appear, disappear, or become readable.
        case entry(String)
        /// A folder whose entries of all names can appear, disappear, or become readable.
        case entries
        /// A file that can be written to.
        case contents
    }

    let path: String
    let kind: Kind
    /// The identity of the file at the path. A file that replaces it is another point.
    let identity: FileIdentity
}

extension WatchPoint {
    /// Returns all points that currently determine what is read at a path, whether there is a file or not.
    ///
    /// They are the folders and links on the path, and the file; if something is missing, the folder in which it would
    /// appear. The file at the path cannot change without an event at one of them.
    ///
    /// - Parameter path: The path; with a slash at its end, that of a folder whose entries matter.
    static func points(affecting path: String) -> Set<WatchPoint> {
        var points: Set<WatchPoint> = []
        var folder = path.hasPrefix("/") ? "/" : "."
        guard var folderIdentity = status(of: folder).map(FileIdentity.init) else { return [] }
        // The remaining names, the next one last.
        var names = FilePath.reversedNames(in: path)
        var linkCount = 0
        while let name = names.popLast() {
            let location = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
            let status = status(of: location)
            let type = status.map { $0.st_mode & S_IFMT }
            switch (type, status.map(FileIdentity.init)) {
            case (S_IFLNK, let identity?) where linkCount < FilePath.maximumLinkCount:
                points.insert(WatchPoint(path: location, kind: .pathComponent, identity: identity))
                let target = (try? FilePath.linkTarget(of: location) { readlink(location, $0, $1) }) ?? ""
                names += FilePath.reversedNames(in: target)
                linkCount += 1
                guard target.hasPrefix("/"), let root = Self.status(of: "/") else { continue }
                (folder, folderIdentity) = ("/", FileIdentity(root))
            case (S_IFDIR, let identity?) where !names.isEmpty:
                points.insert(WatchPoint(path: location, kind: .pathComponent, identity: identity))
                (folder, folderIdentity) = (location, identity)
            case (S_IFDIR, let identity?) where path.hasSuffix("/"):
                points.insert(WatchPoint(path: location, kind: .pathComponent, identity: identity))
                points.insert(WatchPoint(path: location, kind: .entries, identity: identity))
                return points
            case (let type, let identity):
                points.insert(WatchPoint(path: folder, kind: .entry(name), identity: folderIdentity))
                if type == S_IFREG, names.isEmpty, let identity {
                    points.insert(WatchPoint(path: location, kind: .contents, identity: identity))
                }
                return points
            }
        }
        return points
    }

    /// Returns the status of the file or link at a path; nil if there is none, or it cannot be read.
    private static func status(of path: String) -> stat? {
        try? FileStatus.current(path, followsLink: false)
    }
}
