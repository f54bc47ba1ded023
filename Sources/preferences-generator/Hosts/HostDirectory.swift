#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The folder that host files are in, or in folders of.
struct HostDirectory {
    var path: String

    /// Whether there is such a folder.
    var isThere: Bool { FilePath.isFolder(path) }

    /// Its Swift files, by paths relative to it.
    var swiftFiles: FilesBelow { FilesBelow(path, ending: ".swift") }

    func exists(_ file: String) -> Bool {
        let place = FilePath.join(path, file)
        return FilePath.exists(place) && !FilePath.isFolder(place)
    }

    func read(_ file: String) throws(FileFailure) -> [UInt8] { try FileContents.read(FilePath.join(path, file)) }

    /// Whether a file may have markers in it. Most have none, and need not be looked at more closely.
    static func mayHaveMarkers(_ contents: [UInt8]) -> Bool {
        let head = Array("preferences".utf8)
        return contents.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return false }
            let end = start + bytes.count
            var place = start
            // The system's search for one byte is fast in builds for debugging too, as plugins' tools are.
            while let found = memchr(place, Int32(UInt8(ascii: ":")), end - place) {
                let colon = UnsafeRawPointer(found)
                if colon - start >= head.count, memcmp(colon - head.count, head, head.count) == 0 { return true }
                place = colon + 1
            }
            return false
        }
    }
}
