package import Foundation

/// The repository of the tests.
package enum Repository {
    /// The folder of `Package.swift`.
    package static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The folder of files that tests read: `Tests/Fixtures`.
    package static let fixtures = folder.appending(path: "Tests/Fixtures", directoryHint: .isDirectory)
}

/// A schema, or several schemas that are read together.
package struct Fixture: Sendable, CustomStringConvertible {
    /// The name of the schema's file without its extension, or of the folder.
    package let name: String

    /// The folder to which the paths are relative.
    package let folder: URL

    /// The paths of the schemas.
    package let paths: [String]

    /// The name in lists of tests.
    package var description: String { name }

    /// Returns the contents of a file with a path relative to the folder.
    package func bytes(of path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appending(path: path)))
    }
}

/// The schemas of `Tests/Fixtures/Schemas`.
package enum Fixtures {
    /// The folder, which has a folder for each kind of schema.
    package static let folder = Repository.fixtures.appending(path: "Schemas", directoryHint: .isDirectory)

    /// The extension of schemas.
    package static let ending = ".preferences.json"

    /// Whether tests update the expected files instead of comparing them, so that the change can be reviewed:
    ///
    ///     PREFERENCES_REWRITE_FIXTURES=1 swift test
    package static let areRewritten = ProcessInfo.processInfo.environment["PREFERENCES_REWRITE_FIXTURES"] == "1"

    /// The schemas without errors.
    package static let accepted = find("Accepted")

    /// The schemas with one error or one warning.
    package static let refused = find("Refused")

    /// The schemas with expected generated files.
    package static let golden = find("Golden")

    /// Returns single schemas and folders of schemas that are read together, sorted by name.
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
