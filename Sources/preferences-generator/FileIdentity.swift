#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// What all paths to a place have in common, whether or not a file is there yet: the folder and the name in it at the end
/// of all links. Hard links are different places, as writing replaces only one of them.
struct FileIdentity: Hashable {
    private var device: dev_t
    private var number: ino_t
    /// The names that lead on from that folder, the nearest that is there.
    private var names: [[UInt8]] = []

    /// The identity of a folder that is there.
    init(_ folder: stat) {
        device = folder.st_dev
        number = folder.st_ino
    }

    /// - Parameter path: A path; `-` is standard input, which may be a file.
    init(_ path: String) {
        let path = path == "-" ? "/dev/stdin" : path
        var place = (FilePath.destination(of: path) ?? Array(path.utf8))[...]
        var folder = Self.folder(at: place)
        var rest: [ArraySlice<UInt8>] = []
        // A path that is longer leads nowhere.
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
