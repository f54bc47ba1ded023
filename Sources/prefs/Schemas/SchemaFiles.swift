import Foundation
import PreferencesCatalogue
import PreferencesCommandLine
import PreferencesSchema

/// The schemas of a command.
struct SchemaFiles {
    private let paths: [String]
    private let configuration: String?

    /// - Parameters:
    ///   - paths: The paths of schemas, and of folders with schemas. None is not enough: the result is nil.
    ///   - configuration: The path of a `preferences-generator-config.json`.
    init?(_ paths: [String], configuration: String?) {
        guard !paths.isEmpty else { return nil }
        self.paths = paths
        self.configuration = configuration
    }

    /// Reads the schemas, and prints their faults.
    ///
    /// - Throws: A failure if a file cannot be read or a schema has errors.
    func catalogue() throws(Failure) -> PreferenceCatalogue {
        let (set, diagnostics) = try read()
        let errors = diagnostics.filter { $0.severity == .error }
        Console.printError(errors.inOrder.flatMap(\.lines))
        guard errors.isEmpty else { throw Failure("the schema has \(counted(errors.count, "error"))") }
        return PreferenceCatalogue(set)
    }

    private func read() throws(Failure) -> (SchemaSet, [Diagnostic]) {
        do throws(FileError) {
            var sources: [SchemaSource] = []
            for path in try files() { sources.append(SchemaSource(path: path, bytes: try FileContents.read(path))) }
            let configuration: GeneratorConfiguration.Source =
                if let path = self.configuration {
                    .file(SchemaSource(path: path, bytes: try FileContents.read(path)))
                } else {
                    .none
                }
            return SchemaSet.read(sources, configuration: configuration, including: Self.included)
        } catch {
            throw Failure(error)
        }
    }

    /// Returns the paths with each folder replaced by the schemas in it.
    private func files() throws(FileError) -> [String] {
        var files: [String] = []
        for path in paths {
            guard FilePath.isFolder(path) else {
                files.append(path)
                continue
            }
            let found = FileSearch(path, suffix: ".preferences.json")
            if let error = found.fileErrors.first { throw error }
            guard !found.paths.isEmpty else {
                throw FileError(operation: .read, path: path, reason: "no file in it ends in '.preferences.json'")
            }
            files += found.paths.map { FilePath.join(path, $0) }
        }
        return files
    }

    private static func included(_ path: String) -> IncludedText {
        do throws(FileError) {
            return .text(try FileContents.read(path))
        } catch {
            return .missing(error.reason)
        }
    }
}
