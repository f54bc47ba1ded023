package import PreferencesCommandLine
package import PreferencesImport
package import PreferencesSchema

/// The paths of the schemas of a command.
package struct SchemaFiles {
    private let paths: [String]
    private let configuration: String?

    /// - Parameters:
    ///   - paths: The paths of schemas, of files that `schema import` converts to schemas, and of folders with them.
    ///   - configuration: The path of a `preferences-generator-config.json`; nil for none.
    package init(_ paths: [String], configuration: String?) {
        self.paths = paths
        self.configuration = configuration
    }

    /// The suffix of the file names of schemas.
    package static let suffix = ".preferences.json"

    /// Schemas that were read, with their faults.
    package struct Contents {
        package var set: SchemaSet
        package var diagnostics: [Diagnostic]
        /// The schemas of GSettings among them.
        package var gSettings: [GSettingsSchema]
    }

    /// Reads the schemas.
    ///
    /// - Parameters:
    ///   - files: The tree in which the paths are.
    ///   - permitsEmptyFolders: Whether a folder may have no schema. Default: false.
    ///   - isExcluded: Whether a file in a folder is left out. Default: none is.
    ///   - fileName: The name that a single schema has instead of that of its file. Default: nil.
    /// - Throws: A failure if a file cannot be read.
    package func read(
        from files: some FileTree,
        permitsEmptyFolders: Bool = false,
        excluding isExcluded: (String) -> Bool = { _ in false },
        fileName: String? = nil
    ) throws(Failure) -> Contents {
        let paths: [String]
        do throws(FileError) {
            paths = try schemaPaths(in: files, permitsEmptyFolders, isExcluded)
        } catch {
            throw Failure(error)
        }
        var (sources, gSettings) = try Self.importing(paths.filter(Self.isImported), from: files)
        do throws(FileError) {
            for path in paths where !Self.isImported(path) {
                sources.append(SchemaSource(path: path, bytes: try files.contents(of: path)))
            }
            if let fileName, sources.count == 1 { sources[0].fileName = fileName }
            let configuration: GeneratorConfiguration.Source =
                if let path = self.configuration {
                    .file(SchemaSource(path: path, bytes: try files.contents(of: path)))
                } else {
                    .none
                }
            let (set, diagnostics) = SchemaSet.read(
                sources,
                configuration: configuration,
                including: files.includedText
            )
            return Contents(set: set, diagnostics: diagnostics, gSettings: gSettings)
        } catch {
            throw Failure(error)
        }
    }

    /// Returns the paths with each folder replaced by the schemas in it.
    private func schemaPaths(
        in files: some FileTree,
        _ permitsEmptyFolders: Bool,
        _ isExcluded: (String) -> Bool
    ) throws(FileError) -> [String] {
        var all: [String] = []
        var seen: Set<String> = []
        for path in paths {
            guard try files.isFolder(path) else {
                if seen.insert(path).inserted { all.append(path) }
                continue
            }
            let suffixes = [Self.suffix] + Self.importedSuffixes
            var found: [String] = []
            for suffix in suffixes {
                found += try files.paths(in: path, suffix: suffix).map { FilePath.join(path, $0) }
            }
            found.removeAll(where: isExcluded)
            guard permitsEmptyFolders || !found.isEmpty else {
                let names = suffixes.dropLast().map { "'\($0)'" }.joined(separator: ", ")
                let reason = "no file in it ends in \(names) or '\(suffixes[suffixes.count - 1])'"
                throw FileError(operation: .read, path: path, reason: reason)
            }
            all += found.filter { seen.insert($0).inserted }
        }
        return all
    }

    // MARK: - Files of other programs

    /// The ends of the names of files that are schemas of other programs.
    private static let importedSuffixes = [".gschema.xml", ".kcfg"]

    private static func isImported(_ path: String) -> Bool { importedSuffixes.contains { path.hasSuffix($0) } }

    /// Converts files of other programs to schemas.
    ///
    /// - Throws: A failure if a file cannot be read, or none has a key.
    private static func importing(
        _ paths: [String],
        from files: some FileTree
    ) throws(Failure) -> ([SchemaSource], [GSettingsSchema]) {
        var importer = Importer(files: FileReader(files), options: Importer.Options(appliesVendorOverrides: true))
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
}
