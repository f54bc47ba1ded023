package import PreferencesSchema

/// Converts files of other formats to schemas.
///
/// Names are unique across the files of one importer, because all schemas may end up in one module.
package struct Importer {
    /// A schema converted from a file.
    package struct Result: Sendable {
        /// The schema as JSON.
        package var text: String
        package var keyCount: Int
        /// What the schema cannot represent, or represents differently, in the order of files and lines.
        package var remarks: [Remark]
        /// The schemas of a file of GSettings; none for other formats.
        package var gSettings: [GSettingsSchema]
    }

    /// Options that apply to all files.
    package struct Options: Sendable {
        /// The access level of all accessors; `nil` for the default of the schema language.
        package var access: AccessLevel?
        /// The namespace that encloses all keys; `nil` for none.
        package var namespace: String?
        /// Whether the defaults of GSettings schemas are those of the `*.gschema.override` files in their folder, which
        /// distributions install.
        package var appliesVendorOverrides: Bool

        package init(
            access: AccessLevel? = nil,
            namespace: String? = nil,
            appliesVendorOverrides: Bool = false
        ) {
            self.access = access
            self.namespace = namespace
            self.appliesVendorOverrides = appliesVendorOverrides
        }
    }

    private let files: FileReader
    private let options: Options
    private var registry = NameRegistry()
    private var definitions: GSettingsDefinitions

    /// - Parameter schemas: The formats and names of all schemas of the run. The names of their protocols are reserved.
    package init(
        files: FileReader,
        options: Options = Options(),
        schemas: [(format: ImportFormat, name: String)] = []
    ) {
        self.files = files
        self.options = options
        definitions = GSettingsDefinitions(files: files)
        guard options.namespace == nil else { return }
        for schema in schemas where schema.format.supportsTopLevelKeys { registry.reserveType(ofFile: schema.name) }
    }

    /// Imports a file.
    ///
    /// - Parameter schemaName: The file name of the schema, without its extension.
    /// - Throws: ``ImportError`` when the file cannot be read, is invalid, or contains no importable key.
    package mutating func read(
        _ path: String,
        as format: ImportFormat,
        schemaName: String
    ) throws(ImportError) -> Result {
        let path = format.filePath(path)
        var (schema, found) = try contents(of: path, format)
        if let namespace = options.namespace {
            // The stores of the values do not know the namespace.
            schema.root.keepStorageNames()
            let root = schema.root
            // The storage names do not depend on the id, which must not be that of a namespace whose names they have.
            let ids = [namespace] + (2...(root.namespaces.count + 2)).map { "\(namespace)\($0)" }
            let id = ids.first { id in !root.namespaces.contains { $0.id == id } } ?? namespace
            var outer = ImportedNamespace(id: id, names: [namespace], line: nil)
            outer.keys = root.keys
            outer.namespaces = root.namespaces
            schema.root = ImportedNamespace(id: "", names: [], namespaces: [outer], line: nil)
        }
        schema.removeViolatedConstraints(path: path, remarks: &found)
        var assigner = NameAssigner(schema, path: path, fileName: schemaName, registry: registry)
        assigner.run()
        let keyCount = assigner.schema.root.allKeys.count
        let places = assigner.schema.root.remarksOnPaths(path: path)
        let remarks = Self.sorted(found + assigner.remarks + places, first: path)
        guard keyCount > 0 else { throw .empty(path: path, remarks: remarks) }
        registry = assigner.registry
        let storageNames = assigner.schema.root.gSettingsStorageNames()
        var gSettings = schema.gSettings
        for index in gSettings.indices { gSettings[index].addStorageNames(storageNames) }
        let writer = SchemaWriter(assigner.schema, usedEnums: assigner.usedEnums, usedStructs: assigner.usedStructs)
        return Result(
            text: writer.text(access: options.access),
            keyCount: keyCount,
            remarks: remarks,
            gSettings: gSettings
        )
    }

    private mutating func contents(
        of path: String,
        _ format: ImportFormat
    ) throws(ImportError) -> (schema: ImportedSchema, remarks: [Remark]) {
        switch format {
        case .gschema:
            let root = try MarkupReader.read(try files.read(path), path: path)
            var importer = GSettingsImporter(
                path: path,
                definitions: definitions,
                vendorOverrides: options.appliesVendorOverrides ? try VendorOverrides(besides: path, files) : .init()
            )
            try importer.run(root)
            definitions = importer.definitions
            if let error = definitions.error { throw error }
            return (importer.schema, importer.remarks.entries)
        case .kcfg:
            var importer = KConfigImporter(path: path)
            try importer.run(try MarkupReader.read(try files.read(path), path: path))
            return (importer.schema, importer.remarks.entries)
        case .settingsBundle:
            var importer = SettingsBundleImporter(path: path, files: files)
            try importer.run()
            return (importer.schema, importer.remarks.entries)
        case .plist:
            var importer = StoredValueImporter(path: path)
            try importer.run(try PropertyListReader.read(try files.read(path), path: path))
            return (importer.schema, importer.remarks.entries)
        case .json:
            var importer = StoredValueImporter(path: path)
            try importer.run(try StoredValue.json(try files.read(path), path: path))
            return (importer.schema, importer.remarks.entries)
        }
    }

    /// Returns the remarks without duplicates, sorted by file, the imported one first, and by line.
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

/// The format of a file to import.
package enum ImportFormat: String, CaseIterable, Sendable {
    case gschema
    case kcfg
    case settingsBundle = "settings-bundle"
    case plist
    case json

    /// Whether schemas imported from the format can have keys outside any namespace.
    var supportsTopLevelKeys: Bool { self != .gschema && self != .kcfg }

    /// Infers the format from the extension of a path; `nil` when the extension is unknown.
    package init?(path: String) {
        let name = path.lastPathComponent.lowercased()
        let folder = path.directoryPrefix.lastPathComponent.lowercased()
        switch true {
        case name.hasSuffix(".gschema.xml"): self = .gschema
        case name.hasSuffix(".kcfg"): self = .kcfg
        case name.hasSuffix(".bundle"), name == "root.plist" && folder.hasSuffix(".bundle"): self = .settingsBundle
        case name.hasSuffix(".plist"): self = .plist
        case name.hasSuffix(".json"): self = .json
        default: return nil
        }
    }

    /// Returns the name of the schema for a file: the file's name without its extension.
    package func schemaName(path: String) -> String {
        let path = self == .settingsBundle && path.lowercased().hasSuffix(".plist") ? path.directoryPrefix : path
        let name = path.lastPathComponent
        let suffix = suffixes.first { name.lowercased().hasSuffix($0) && name.count > $0.count }
        return String(name.dropLast(suffix?.count ?? 0))
    }

    /// Returns the path of the file to read: for a settings bundle, that of its `Root.plist`.
    func filePath(_ path: String) -> String {
        guard self == .settingsBundle, !path.lowercased().hasSuffix(".plist") else { return path }
        return (path.hasSuffix("/") ? path : "\(path)/") + "Root.plist"
    }

    private var suffixes: [String] {
        switch self {
        case .gschema: [".gschema.xml", ".xml"]
        case .kcfg: [".kcfg"]
        case .settingsBundle: [".bundle", ".plist"]
        case .plist: [".plist"]
        case .json: [".json"]
        }
    }
}

/// Read access to the imported files and the files that they refer to.
package struct FileReader: Sendable {
    /// Returns the contents of a file.
    ///
    /// - Throws: ``ImportError/unreadable(message:)``.
    package var read: @Sendable (_ path: String) throws(ImportError) -> [UInt8]

    /// Returns the names of the files in a folder.
    ///
    /// - Throws: ``ImportError/unreadable(message:)``.
    package var fileNames: @Sendable (_ folder: String) throws(ImportError) -> [String]

    package init(
        read: @escaping @Sendable (_ path: String) throws(ImportError) -> [UInt8],
        fileNames: @escaping @Sendable (_ folder: String) throws(ImportError) -> [String]
    ) {
        self.read = read
        self.fileNames = fileNames
    }
}

extension String {
    /// The path up to and including its last slash; empty when there is none.
    var directoryPrefix: String { lastIndex(of: "/").map { String(self[...$0]) } ?? "" }

    /// The last component of the path.
    var lastPathComponent: String { String(split(separator: "/").last ?? "") }
}
