import Foundation
import PreferencesCatalogue
import PreferencesCommandLine
import PreferencesImport
import PreferencesSchema

/// The schemas of a command.
struct SchemaFiles {
    private let paths: [String]
    private let configuration: String?

    /// - Parameters:
    ///   - paths: The paths of schemas, of files that `schema import` converts to schemas, and of folders with them. None
    ///     is not enough: the result is nil.
    ///   - configuration: The path of a `preferences-generator-config.json`.
    init?(_ paths: [String], configuration: String?) {
        guard !paths.isEmpty else { return nil }
        self.paths = paths
        self.configuration = configuration
    }

    /// Reads the schemas, and prints their faults.
    ///
    /// - Throws: A failure if a file cannot be read or a schema has errors.
    func catalogue() throws(Failure) -> (PreferenceCatalogue, GSettingsSchemas) {
        let (set, diagnostics, gSettings) = try read()
        let errors = diagnostics.filter { $0.severity == .error }
        Console.printError(errors.inOrder.flatMap(\.lines))
        guard errors.isEmpty else { throw Failure("the schema has \(counted(errors.count, "error"))") }
        return (PreferenceCatalogue(set), GSettingsSchemas(gSettings))
    }

    private func read() throws(Failure) -> (SchemaSet, [Diagnostic], [GSettingsSchema]) {
        let files: [String]
        do throws(FileError) {
            files = try self.files()
        } catch {
            throw Failure(error)
        }
        let (imported, gSettings) = try Self.importing(files.filter(Self.isImported))
        do throws(FileError) {
            var sources = imported
            for path in files where !Self.isImported(path) {
                sources.append(SchemaSource(path: path, bytes: try FileContents.read(path)))
            }
            let configuration: GeneratorConfiguration.Source =
                if let path = self.configuration {
                    .file(SchemaSource(path: path, bytes: try FileContents.read(path)))
                } else {
                    .none
                }
            let (set, diagnostics) = SchemaSet.read(
                sources,
                configuration: configuration,
                including: IncludedText.read
            )
            return (set, diagnostics, gSettings)
        } catch {
            throw Failure(error)
        }
    }

    // MARK: - Files of other programs

    /// The ends of the names of files that are schemas of other programs.
    private static let importedSuffixes = [".gschema.xml", ".kcfg"]

    private static func isImported(_ path: String) -> Bool { importedSuffixes.contains { path.hasSuffix($0) } }

    /// Converts files of other programs to schemas.
    ///
    /// - Throws: A failure if a file cannot be read, or none has a key.
    private static func importing(_ paths: [String]) throws(Failure) -> ([SchemaSource], [GSettingsSchema]) {
        var importer = Importer(files: .onDisk, options: Importer.Options(appliesVendorOverrides: true))
        var (sources, schemas): ([SchemaSource], [GSettingsSchema]) = ([], [])
        var emptyFile: ImportError?
        for path in paths {
            guard let format = ImportFormat(path: path) else { continue }
            do throws(ImportError) {
                let result = try importer.read(path, as: format, schemaName: format.schemaName(path: path))
                let name = format.schemaName(path: path)
                sources.append(SchemaSource(path: path, bytes: Array(result.text.utf8), fileName: name))
                schemas += result.gSettings
            } catch .empty(let path, let remarks) {
                emptyFile = .empty(path: path, remarks: remarks)
            } catch {
                throw Failure(error.description, .system)
            }
        }
        if sources.isEmpty, let emptyFile { throw Failure(emptyFile.description) }
        return (sources, schemas)
    }

    /// Returns the paths with each folder replaced by the schemas in it.
    private func files() throws(FileError) -> [String] {
        var files: [String] = []
        for path in paths {
            guard FilePath.isFolder(path) else {
                files.append(path)
                continue
            }
            let suffixes = [".preferences.json"] + Self.importedSuffixes
            var found: [String] = []
            for suffix in suffixes {
                let search = FileSearch(path, suffix: suffix)
                if let error = search.fileErrors.first { throw error }
                found += search.paths.map { FilePath.join(path, $0) }
            }
            guard !found.isEmpty else {
                let names = suffixes.dropLast().map { "'\($0)'" }.joined(separator: ", ")
                let reason = "no file in it ends in \(names) or '\(suffixes[suffixes.count - 1])'"
                throw FileError(operation: .read, path: path, reason: reason)
            }
            files += found
        }
        return files
    }
}
