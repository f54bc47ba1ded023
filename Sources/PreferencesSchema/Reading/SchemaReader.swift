/// Converts the JSON of schemas into the model, and collects all diagnostics: a fault in one place never hides one in
/// another.
struct SchemaReader {
    /// The schemas, then the files that they include.
    var files: [SchemaFile] = []
    /// The settings that the schemas share unless they override them.
    var configuration = GeneratorConfiguration()
    /// The index of the file being read, to which ranges of bytes refer.
    var source = 0
    /// The index of the schema being read.
    var schema = 0
    var findings: [Finding] = []
    var symbols = SymbolTable()
    var suggestions = Suggestions()
    /// The places of patterns whose matching timed out.
    var slowPatterns: Set<Place> = []
    var ignores: [LintIgnore] = []
    /// The types that the current schema declares or includes, even faulty ones, by their names in schemas.
    var declarations: [String: TypeDeclaration] = [:] {
        didSet { parsedTypes = [:] }
    }
    /// The names of the types with hooks in the current schema.
    var hookTypes: [Name] = []
    /// The parsed types by their text, a cache: most keys have one of a few types.
    var parsedTypes: [String: ValueType] = [:]
    /// The declared structs that contain external types, and may therefore not be hashable.
    var nonHashableStructs: Set<String> = []
    /// Whether part of the current schema cannot be read, which is reported. Declarations that seem missing or unused
    /// may then be in that part.
    var isIncomplete = false
    /// Whether the current schema has an unknown access level, which is reported. Declarations that seem visible may
    /// then not be.
    var hasUnknownAccess = false
    /// The widest access level of the accessors that use each declared type, by the type's place.
    var uses: [Place: AccessLevel] = [:]

    mutating func report(_ rule: Rule, at range: Range<Int>, _ message: String, note: String? = nil) {
        findings.append(
            Finding(rule: rule, place: place(range), message: message, notes: note.map { [.init(message: $0)] } ?? [])
        )
    }

    /// Reports a duplicate at the later place.
    mutating func report(_ rule: Rule, at range: Range<Int>, _ message: String, firstAt first: Range<Int>) {
        report(rule, at: range, message, other: place(first), "the first one is here")
    }

    /// Reports a finding that involves another place.
    mutating func report(_ rule: Rule, at range: Range<Int>, _ message: String, other: Place, _ note: String) {
        let notes = [Finding.Note(place: other, message: note)]
        findings.append(Finding(rule: rule, place: place(range), message: message, notes: notes))
    }

    func place(_ range: Range<Int>) -> Place {
        Place(source: source, range: range)
    }

    /// Reads a schema with all files that it includes, or returns nil if it has no object.
    ///
    /// - Parameter included: The files that an earlier schema generates. Their types can be used, and are not
    ///   generated again.
    mutating func readSchema(
        _ index: Int,
        typeName: String?,
        fileName: String,
        withoutGenerating included: Set<Int>
    ) -> SchemaDraft? {
        schema = index
        source = index
        guard let main = files[index].fields else { return nil }
        let reached = filesIncluded(by: index)
        let own = [index] + reached.filter { !included.contains($0) }
        isIncomplete = ([index] + reached).contains { files[$0].hasMissingIncludes || files[$0].fields == nil }
        hasUnknownAccess = !configuration.isComplete
        declarations = [:]
        hookTypes = []
        readTypes(of: own, others: reached.filter(included.contains))
        let parts = own.compactMap { part(ofFile: $0) }
        let access = parts.first?.access ?? configuredAccess(of: main) ?? .internal
        var root = Namespace(path: [], ids: [], access: access)
        readSettings(of: &root, from: parts, kind: "the schema")
        readContents(of: &root, from: parts)
        source = index
        var typeName = typeName
        finishRoot(&root, main, parts, fileName: fileName, typeName: &typeName)
        checkHosts(of: root)
        let schema = Schema(
            source: index,
            fileName: fileName,
            typeName: typeName,
            access: access,
            imports: [],
            types: [],
            root: root,
            catalogue: readCatalogue(of: root, main, parts, fileName: fileName, typeName: typeName)
        )
        let modules = modules(importedBy: [index] + reached)
        checkModules(of: modules)
        return SchemaDraft(
            schema: schema,
            types: finishTypes(access: access),
            describedTypes: schema.catalogue == nil ? [] : types(usedIn: root),
            hashable: Set(declarations.keys.filter { isHashable(.structure($0)) }),
            modules: modules
        )
    }

    /// Returns the part of a schema's root that a file declares.
    private mutating func part(ofFile file: Int) -> NamespacePart? {
        guard let fields = files[file].fields else { return nil }
        return inFile(file) { reader in
            reader.readLint(fields)
            let access = reader.access(
                fields["access"],
                of: "everything in this file",
                isHosted: reader.isEverythingHosted(fields)
            )
            return NamespacePart(file: file, fields: fields, access: access)
        }
    }

    /// Reads part of another file.
    mutating func inFile<Result>(_ file: Int, _ read: (inout SchemaReader) -> Result) -> Result {
        let outer = source
        source = file
        defer { source = outer }
        return read(&self)
    }
}

/// The part of a namespace, or of the root, that one file declares.
struct NamespacePart {
    var file: Int
    var fields: Fields
    /// The access level of the whole file, if it sets one.
    var access: AccessLevel?
}

/// A schema whose types and imports do not have their access levels yet, since schemas that are read later also
/// determine them.
struct SchemaDraft {
    var schema: Schema
    var types: [TypeDeclaration]
    /// The types that the catalogue describes.
    var describedTypes: [TypeDeclaration]
    /// The names of the hashable structs.
    var hashable: Set<String>
    var modules: [String]

    /// Returns the finished schema.
    ///
    /// - Parameter uses: The widest access level of the accessors that use each declared type, by the type's place.
    func schema(uses: [Place: AccessLevel]) -> Schema {
        var schema = schema
        schema.types = types.compactMap { type in
            declaredType(type, access: max(schema.access, uses[type.name.place] ?? schema.access))
        }
        schema.catalogue?.types = describedTypes.compactMap { declaredType($0, access: schema.access) }
        let external = schema.externalTypes
        schema.imports = modules.map { module in
            let access = external.filter { $0.key.hasPrefix(module + ".") }.map(\.value).max()
            return ModuleImport(module: module, access: max(access ?? .internal, .internal))
        }
        return schema
    }

    private func declaredType(_ type: TypeDeclaration, access: AccessLevel) -> DeclaredType? {
        switch type.contents {
        case .cases(let cases):
            let rawType: EnumType.RawType = if case .int? = cases.first?.rawValue { .int } else { .string }
            return .enumeration(
                EnumType(name: type.name, description: type.description, cases: cases, access: access, rawType: rawType)
            )
        case .fields(let fields):
            return .structure(
                StructType(
                    name: type.name,
                    description: type.description,
                    fields: fields.map { field in
                        StructType.Field(
                            name: field.name,
                            id: field.id,
                            description: field.description,
                            type: field.type,
                            defaultValue: field.defaultValue
                        )
                    },
                    access: access,
                    isHashable: hashable.contains(type.name.text)
                )
            )
        case .external, .faulty:
            return nil
        }
    }
}

extension Schema {
    /// The external types that the generated file uses, by their Swift names, with the widest access level of their
    /// uses.
    fileprivate var externalTypes: [String: AccessLevel] {
        var found: [String: AccessLevel] = [:]
        func record(_ type: ValueType, _ access: AccessLevel) {
            guard case .external(_, let name) = type.leaf else { return }
            found[name] = max(found[name] ?? access, access)
        }
        for namespace in allNamespaces {
            // Iterates over indices, since copying thousands of keys is expensive.
            for index in namespace.keys.indices where !namespace.isHosted(namespace.keys[index]) {
                record(namespace.keys[index].type, namespace.keys[index].access)
            }
        }
        for case .structure(let type) in types {
            for field in type.fields { record(field.type, type.access) }
        }
        return found
    }
}
