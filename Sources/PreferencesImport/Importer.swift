package import PreferencesSchema

/// Turns files of other formats into schemas, one after the other: names are no two files' in one run.
package struct Importer {
    /// A schema that was made from a file.
    package struct Result: Sendable {
        /// The schema, as JSON.
        package var text: String
        package var keyCount: Int
        /// What could not be said, or not as it was, in the order of files and lines.
        package var remarks: [Remark]
    }

    /// How schemas are written.
    package struct Options: Sendable {
        package var access: AccessLevel?
        /// What everything is put into.
        package var namespace: String?

        package init(access: AccessLevel? = nil, namespace: String? = nil) {
            self.access = access
            self.namespace = namespace
        }
    }

    private let files: SourceFiles
    private let options: Options
    private var taken = TakenNames()
    private var library: SettingsLibrary

    /// - Parameter schemas: What all files of the run will be called, for whose protocols names are kept free.
    package init(
        files: SourceFiles,
        options: Options = Options(),
        schemas: [(format: ImportFormat, name: String)] = []
    ) {
        self.files = files
        self.options = options
        library = SettingsLibrary(files: files)
        guard options.namespace == nil else { return }
        for schema in schemas where schema.format.hasKeysOfFile { taken.reserveType(ofFile: schema.name) }
    }

    /// Imports a file.
    ///
    /// - Parameters:
    ///   - schemaName: What the schema will be called, without ending.
    package mutating func read(
        _ path: String,
        as format: ImportFormat,
        schemaName: String
    ) throws(ImportFault) -> Result {
        let path = format.filePath(path)
        var (schema, found) = try contents(of: path, format)
        if let namespace = options.namespace {
            if format.hasKeysOfFile {
                let message = "everything is stored below '\(namespace):', and not where it is now"
                found.append(Remark(path: path, line: nil, message: message))
            }
            let root = schema.root
            var outer = ImportedNamespace(id: namespace, names: [namespace], line: nil)
            outer.keys = root.keys
            outer.namespaces = root.namespaces
            schema.root = ImportedNamespace(id: "", names: [], namespaces: [outer], line: nil)
        }
        schema.dropBrokenConstraints(path: path, remarks: &found)
        var naming = Naming(schema, path: path, fileName: schemaName, taken: taken)
        naming.run()
        let keyCount = naming.schema.root.allKeys.count
        let remarks = Self.sorted(found + naming.remarks, first: path)
        guard keyCount > 0 else { throw .empty(path: path, remarks: remarks) }
        taken = naming.taken
        let writer = SchemaWriter(naming.schema, usedEnums: naming.usedEnums)
        return Result(
            text: writer.text(access: options.access),
            keyCount: keyCount,
            remarks: remarks
        )
    }

    private mutating func contents(
        of path: String,
        _ format: ImportFormat
    ) throws(ImportFault) -> (schema: ImportedSchema, remarks: [Remark]) {
        switch format {
        case .gschema:
            var importer = SettingsImporter(path: path, library: library)
            try importer.run(try MarkupReader.read(try files.read(path), path: path))
            library = importer.library
            return (importer.schema, importer.remarks.list)
        case .kcfg:
            var importer = ConfigImporter(path: path)
            try importer.run(try MarkupReader.read(try files.read(path), path: path))
            return (importer.schema, importer.remarks.list)
        case .settingsBundle:
            var importer = BundleImporter(path: path, files: files)
            try importer.run()
            return (importer.schema, importer.remarks.list)
        case .plist:
            var importer = PresentValueImporter(path: path)
            try importer.run(try PropertyListReader.read(try files.read(path), path: path))
            return (importer.schema, importer.remarks.list)
        case .json:
            var importer = PresentValueImporter(path: path)
            try importer.run(try PresentValue.json(try files.read(path), path: path))
            return (importer.schema, importer.remarks.list)
        }
    }

    /// By file, the imported one first, and by line.
    private static func sorted(_ remarks: [Remark], first path: String) -> [Remark] {
        var seen: Set<Remark> = []
        return remarks.filter { seen.insert($0).inserted }.enumerated().sorted { one, other in
            func order(_ item: (offset: Int, element: Remark)) -> (Int, String, Int, Int) {
                (item.element.path == path ? 0 : 1, item.element.path, item.element.line ?? 0, item.offset)
            }
            return order(one) < order(other)
        }.map(\.element)
    }
}
