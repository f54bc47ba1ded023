/// What has the system tell of changes at points, for as long as it exists. Each platform has one of its own, which
/// calls a closure, on any thread and perhaps too often, when something happened at one of the points.
protocol PathWatches: AnyObject, Sendable {
    /// Has these points watched, and no others.
    ///
    /// - Returns: Whether everything that happens at them from now on is told. A point that has gone counts for nothing:
    ///   whoever looks again finds others in its place.
    func replace(with points: Set<WatchPoint>) -> Bool
}

#if canImport(Darwin)
    typealias SystemPathWatches = DispatchPathWatches
#else
    typealias SystemPathWatches = InotifyPathWatches
#endif

/// Something that has a part in what is read at a path, and whose changes are to be heard of.
struct WatchPoint: Hashable, Sendable {
    enum Kind: Hashable {
        /// A folder or a link that the path goes through: whether it is moved away or removed.
        case place
        /// A folder: whether its entry of this name comes, goes, or becomes readable.
        case entry(String)
        /// A file: whether something is written to it.
        case contents
    }

    let path: String
    let kind: Kind
    /// Of what was at the path: another in its place is another point.
    let identity: FileIdentity
}

extension WatchPoint {
    /// All that decides what is read at a path as things are now, be there a file or not.
    ///
    /// Those are the folders on the way, every link, and the file; where something is missing, the folder in which it
    /// would appear. No change of the path's meaning happens without one of them changing.
    static func points(deciding path: String) -> Set<WatchPoint> {
        var points: Set<WatchPoint> = []
        var folder = path.hasPrefix("/") ? "/" : "."
        guard var folderIdentity = status(of: folder).map(FileIdentity.init) else { return [] }
        // The names still to go, the next one last.
        var names = Self.names(in: path)
        var linkCount = 0
        while let name = names.popLast() {
            let place = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
            let status = status(of: place)
            let type = status.map { $0.st_mode & S_IFMT }
            switch (type, status.map(FileIdentity.init)) {
            case (S_IFLNK, let identity?) where linkCount < FilePath.maximumLinkCount:
                points.insert(WatchPoint(path: place, kind: .place, identity: identity))
                let target = (try? FilePath.linkTarget(of: place) { readlink(place, $0, $1) }) ?? ""
                names += Self.names(in: target)
                linkCount += 1
                guard target.hasPrefix("/"), let root = Self.status(of: "/") else { continue }
                (folder, folderIdentity) = ("/", FileIdentity(root))
            case (S_IFDIR, let identity?) where !names.isEmpty:
                points.insert(WatchPoint(path: place, kind: .place, identity: identity))
                (folder, folderIdentity) = (place, identity)
            case (let type, let identity):
                points.insert(WatchPoint(path: folder, kind: .entry(name), identity: folderIdentity))
                if type == S_IFREG, names.isEmpty, let identity {
                    points.insert(WatchPoint(path: place, kind: .contents, identity: identity))
                }
                return points
            }
        }
        return points
    }

    private static func names(in path: String) -> [String] {
        path.split(separator: "/").filter { $0 != "." }.reversed().map(String.init)
    }

    /// Of a link itself where there is one; nil where nothing is, or nothing can be seen.
    private static func status(of path: String) -> stat? {
        try? FileStatus.current(path, followsLink: false)
    }
}
