package import Foundation

/// The schemas of `Tests/Fixtures/Schemas`.
package enum Fixtures {
    /// The folder that has a folder for each kind of them.
    package static let folder = Repository.fixtures.appending(path: "Schemas", directoryHint: .isDirectory)

    /// What the names of schemas end with.
    package static let ending = ".preferences.json"

    /// Whether what the tests expect is to be written anew, instead of compared, to be reviewed as a change of its own:
    ///
    ///     PREFERENCES_REWRITE_FIXTURES=1 swift test
    package static let areRewritten = ProcessInfo.processInfo.environment["PREFERENCES_REWRITE_FIXTURES"] == "1"

    /// Those without fault.
    package static let accepted = find("Accepted")

    /// Those that have one fault, or are warned about for one reason.
    package static let refused = find("Refused")

    /// Those beside which stands what is generated from them.
    package static let golden = find("Golden")

    /// Schemas that are read alone, and folders of some that are read together, sorted by name.
    private static func find(_ kind: String) -> [Fixture] {
        let folder = folder.appending(path: kind, directoryHint: .isDirectory)
        return names(in: folder).compactMap { name in
            if name.hasSuffix(ending) {
                let name = String(name.dropLast(ending.count))
                return Fixture(name: name, folder: folder, paths: [name + ending])
            }
            let inner = folder.appending(path: name, directoryHint: .isDirectory)
            guard (try? inner.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true else { return nil }
            return Fixture(name: name, folder: folder, paths: schemas(below: inner).map { "\(name)/\($0)" })
        }
    }

    private static func schemas(below folder: URL) -> [String] {
        names(in: folder).flatMap { name in
            if name.hasSuffix(ending) { return [name] }
            return schemas(below: folder.appending(path: name, directoryHint: .isDirectory)).map { "\(name)/\($0)" }
        }
    }

    private static func names(in folder: URL) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
    }
}
