import Foundation

extension URL {
    /// The files in a folder and in those below it, as paths relative to it; none if there is no such folder.
    func filesBelow() throws -> Set<String> {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        let paths = try FileManager.default.subpathsOfDirectory(atPath: path)
        return Set(
            paths.filter { path in
                let values = try? appending(path: path).resourceValues(forKeys: [.isRegularFileKey])
                return values?.isRegularFile == true
            }
        )
    }
}
