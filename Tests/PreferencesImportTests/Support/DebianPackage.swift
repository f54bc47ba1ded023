import Foundation
import TestSupport

/// A package of Debian's, and the files of it that describe settings.
struct DebianPackage {
    let name: String

    /// The paths of the package's files with an ending: where they are installed or, if it is not, where
    /// `Tests/install-debian-inputs` has put them.
    func files(ending: String) async throws -> [String] {
        let list = try await CommandLineRun("dpkg", ["-L", name])
        if list.succeeded { return Self.files(list.output.split(separator: "\n").map(String.init), ending) }
        let folder = Repository.folder.appending(path: ".build/debian-inputs/\(name)").path
        guard FileManager.default.fileExists(atPath: folder),
            let contents = FileManager.default.enumerator(atPath: folder)
        else { throw Missing(package: name) }
        return Self.files(contents.compactMap { $0 as? String }.map { "\(folder)/\($0)" }, ending)
    }

    private static func files(_ paths: [String], _ ending: String) -> [String] {
        // A folder may be called so as well.
        paths.filter { path in
            let isFile = (try? URL(filePath: path).resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile
            return path.hasSuffix(ending) && isFile == true
        }.sorted()
    }

    private struct Missing: Error, CustomStringConvertible {
        var package: String
        var description: String {
            "the files of Debian's package '\(package)' are not here; run Tests/install-debian-inputs"
        }
    }
}
