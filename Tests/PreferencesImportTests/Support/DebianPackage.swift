import Foundation
import TestSupport

/// A package of Debian's, and the files of it that describe settings.
struct DebianPackage {
    let name: String

    /// The paths of the package's files with an ending: where they are installed or, if it is not, where
    /// `Tests/install-debian-inputs` has put them.
    func files(ending: String) async throws -> [String] {
        let list = try await CommandLineRun("dpkg", ["-L", name])
        if list.succeeded {
            return list.output.split(separator: "\n").map(String.init).filter { $0.hasSuffix(ending) }.sorted()
        }
        let folder = Repository.folder.appending(path: ".build/debian-inputs/\(name)", directoryHint: .isDirectory)
        guard let files = FileManager.default.enumerator(atPath: folder.path),
            FileManager.default.fileExists(atPath: folder.path)
        else { throw Missing(package: name) }
        return files.compactMap { $0 as? String }.filter { $0.hasSuffix(ending) }.map { folder.path + "/" + $0 }
            .sorted()
    }

    private struct Missing: Error, CustomStringConvertible {
        var package: String
        var description: String {
            "the files of Debian's package '\(package)' are not here; run Tests/install-debian-inputs"
        }
    }
}
