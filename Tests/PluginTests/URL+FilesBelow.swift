import Foundation

extension URL {
    /// The files in a folder and in those below it, as paths relative to it; none if there is no such folder.
    func filesBelow() throws -> Set<String> {
        try pathsBelow().filter { path in
            let values = try? appending(path: path).resourceValues(forKeys: [.isRegularFileKey])
            return values?.isRegularFile == true
        }
    }

    /// The symbolic links in a folder and in those below it, as paths relative to it.
    func linksBelow() throws -> Set<String> {
        try pathsBelow().filter { path in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: appending(path: path).path)) != nil
        }
    }

    /// The files, links and folders in a folder and in those below it, as paths relative to it.
    func pathsBelow() throws -> Set<String> {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        return Set(try FileManager.default.subpathsOfDirectory(atPath: path))
    }
}
