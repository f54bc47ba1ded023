#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The folder that host files are in, or in folders of.
struct HostDirectory {
    var path: String

    /// Whether there is such a folder.
    var isThere: Bool { FilePath.isFolder(path) }

    /// The paths of all its Swift files, relative to it and sorted. What is hidden does not count.
    func swiftFiles() throws(FileFailure) -> [String] {
        var found: [String] = []
        try collect(below: "", into: &found)
        return found
    }

    private func collect(below folder: String, into found: inout [String]) throws(FileFailure) {
        let place = folder.isEmpty ? path : FilePath.join(path, folder)
        do {
            for name in try FileManager.default.contentsOfDirectory(atPath: place).sorted()
            where !name.hasPrefix(".") {
                let attributes = try FileManager.default.attributesOfItem(atPath: FilePath.join(place, name))
                let inner = FilePath.join(folder, name)
                // Links to folders are not followed: they may lead back.
                if attributes[.type] as? FileAttributeType == .typeDirectory {
                    try collect(below: inner, into: &found)
                } else if name.hasSuffix(".swift") {
                    found.append(inner)
                }
            }
        } catch let failure as FileFailure {
            throw failure
        } catch {
            throw FileFailure(operation: "read", path: place, error)
        }
    }

    func exists(_ file: String) -> Bool {
        let place = FilePath.join(path, file)
        return FileManager.default.fileExists(atPath: place) && !FilePath.isFolder(place)
    }

    func read(_ file: String) throws(FileFailure) -> Data {
        let place = FilePath.join(path, file)
        do {
            return try Data(contentsOf: URL(filePath: place))
        } catch {
            throw FileFailure(operation: "read", path: place, error)
        }
    }

    /// Whether a file may have markers in it. Most have none, and need not be looked at more closely.
    static func mayHaveMarkers(_ contents: Data) -> Bool {
        let head = Array("preferences".utf8)
        return contents.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> Bool in
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
