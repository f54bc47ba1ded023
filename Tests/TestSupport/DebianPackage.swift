import Foundation

/// A Debian package.
package struct DebianPackage {
    package let name: String

    package init(name: String) {
        self.name = name
    }

    /// Returns the paths of the package's files with an extension: those of the installed package, or else those
    /// extracted by `Tests/install-debian-inputs`.
    package func files(ending: String) async throws -> [String] {
        let list = try await CommandLineRun("dpkg", ["-L", name])
        if list.succeeded { return Self.files(list.output.split(separator: "\n").map(String.init), ending) }
        let folder = Repository.folder.appending(path: ".build/debian-inputs/\(name)").path
        guard let contents = try? FileManager.default.subpathsOfDirectory(atPath: folder) else {
            throw Missing(package: name)
        }
        return Self.files(contents.map { "\(folder)/\($0)" }, ending)
    }

    private static func files(_ paths: [String], _ ending: String) -> [String] {
        // A folder can have the same extension.
        paths.filter { path in
            let isFile = (try? URL(filePath: path).resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile
            return path.hasSuffix(ending) && isFile == true
        }.sorted()
    }

    private struct Missing: Error, CustomStringConvertible {
        var package: String
        var description: String {
            "the files of Debian package '\(package)' were not found; run Tests/install-debian-inputs"
        }
    }
}
