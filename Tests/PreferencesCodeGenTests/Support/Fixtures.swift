import Foundation
import PreferencesSchema
import Testing

/// The schemas of `Tests/Fixtures/Schemas`.
enum Fixtures {
    static let repository = folder.appending(path: "../../..").standardizedFileURL

    static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures/Schemas", directoryHint: .isDirectory)

    static let ending = ".preferences.json"

    /// Whether what the tests expect is to be written anew, instead of compared, to be reviewed as a change of its own:
    ///
    ///     PREFERENCES_REWRITE_FIXTURES=1 swift test
    static let areRewritten = ProcessInfo.processInfo.environment["PREFERENCES_REWRITE_FIXTURES"] == "1"

    static let accepted = find("Accepted")
    static let golden = find("Golden")

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

/// One schema, or several that are read together.
struct Fixture: CustomTestStringConvertible {
    var name: String
    var folder: URL
    /// Of the schemas, relative to the folder.
    var paths: [String]

    var testDescription: String { name }

    func sources() throws -> [SchemaSource] {
        try paths.map { path in
            SchemaSource(path: path, bytes: Array(try Data(contentsOf: folder.appending(path: path))))
        }
    }

    /// Where the generated source that is expected of a schema stands.
    func expected(_ path: String) -> URL {
        folder.appending(path: path.dropLast(Fixtures.ending.count) + ".preferences.swift")
    }
}
