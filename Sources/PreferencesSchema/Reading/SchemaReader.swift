/// Turns the JSON of a run's schemas into the model, and notes all that is wrong on the way: a fault in one place never
/// hides one in another.
struct SchemaReader {
    /// The schemas, then the files that they include.
    var files: [SchemaFile] = []
    /// What the schemas have in common, where they do not say otherwise.
    var configuration = GeneratorConfiguration()
    /// Which of the files is being read: where ranges of bytes are places of.
    var source = 0
    /// Which of the schemas is being read.
    var schema = 0
    var findings: [Finding] = []
    var claims = NameClaims()
    var suggestions = Suggestions()
    /// The places of patterns that did not come to an end.
    var slowPatterns: Set<Place> = []
    var ignores: [LintIgnore] = []
    /// The types that the current schema declares or includes, sound or not, by their names in schemas.
    var declarations: [String: TypeDeclaration] = [:] {
        didSet { parsedTypes = [:] }
    }
    /// The types that were parsed, by their text: most keys have one of a few.
    var parsedTypes: [String: ValueType] = [:]
    /// The structs among them whose values cannot be compared, as far as that is known.
    var unhashableStructs: Set<String> = []
    /// Whether something that belongs to the current schema cannot be read, which is reported: what looks missing, or of
    /// no use, may be there or be used.
    var isIncomplete = false
    /// Whether something of the current schema has an access level that is not known, which is reported: what looks visible
    /// may not be.
    var hasUnknownAccess = false
    /// For each declared type, by its place, the widest access of the accessors that use it.
    var uses: [Place: AccessLevel] = [:]

    mutating func report(_ rule: Rule, at range: Range<Int>, _ message: String, note: String? = nil) {
        findings.append(
            Finding(rule: rule, place: place(range), message: message, notes: note.map { [.init(message: $0)] } ?? [])
        )
    }

    /// Reports something that is there twice, at the later place.
    mutating func report(_ rule: Rule, at range: Range<Int>, _ message: String, firstAt first: Range<Int>) {
        report(rule, at: range, message, other: place(first), "it is here first")
    }

    /// Reports something that another place has to do with.
    mutating func report(_ rule: Rule, at range: Range<Int>, _ message: String, other: Place, _ note: String) {
        let notes = [Finding.Note(place: other, message: note)]
        findings.append(Finding(rule: rule, place: place(range), message: message, notes: notes))
    }

    func place(_ range: Range<Int>) -> Place {
        Place(source: source, range: range)
    }

    /// Reads one of the schemas with everything that it includes; nil where there is nothing to make of it.
    ///
    /// - Parameter included: Files whose keys and types an earlier schema has already: their types can be used here, and
    ///   are not generated again.
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
        isIncomplete = ([index] + reached).contains { files[$0].lacksIncludes || files[$0].fields == nil }
        hasUnknownAccess = !configuration.isComplete
        declarations = [:]
        readTypes(of: own, others: reached.filter(included.contains))
        let parts = own.compactMap { part(ofFile: $0) }
        let access = parts.first?.access ?? configuredAccess(of: main) ?? .internal
        var root = Namespace(path: [], ids: [], access: access)
        readSettings(of: &root, from: parts, kind: "the schema")
        readContents(of: &root, from: parts)
        source = index
        finishRoot(&root, main, parts, fileName: fileName, typeName: typeName)
        checkHosts(of: root)
        let schema = Schema(
            source: index,
            fileName: fileName,
            typeName: typeName,
            access: access,
            imports: [],
            types: [],
            root: root
        )
        let modules = modules(importedBy: [index] + reached)
        checkModules(of: modules)
        return SchemaDraft(
            schema: schema,
            types: finishTypes(access: access),
            hashable: Set(declarations.keys.filter { isHashable(.structure($0)) }),
            modules: modules
        )
    }

    /// What a file adds to the root of a schema.
    private mutating func part(ofFile file: Int) -> FilePart? {
        guard let fields = files[file].fields else { return nil }
        return inFile(file) { reader in
            reader.readLint(fields)
            let access = reader.access(
                fields["access"],
                of: "everything in this file",
                isHosted: reader.isEverythingHosted(fields)
            )
            return FilePart(file: file, fields: fields, access: access)
        }
    }

    /// Reads something of another file.
    mutating func inFile<Result>(_ file: Int, _ read: (inout SchemaReader) -> Result) -> Result {
        let outer = source
        source = file
        defer { source = outer }
        return read(&self)
    }
}

/// The object of a file, or of one of its namespaces, that goes into a namespace together with those of other files.
struct FilePart {
    var file: Int
    var fields: Fields
    /// The access level of the whole file, where it sets one.
    var access: AccessLevel?
}

/// A schema that is read, but for how visible its types and imports have to be, which those read after it have a say in.
struct SchemaDraft {
    var schema: Schema
    var types: [TypeDeclaration]
    /// The names of structs whose values can be compared.
    var hashable: Set<String>
    var modules: [String]

    /// - Parameter uses: For each declared type, the widest access of the accessors that use it.
    func schema(uses: [Place: AccessLevel]) -> Schema {
        var schema = schema
        schema.types = types.compactMap { type in
            declaredType(type, access: max(schema.access, uses[type.name.place] ?? schema.access))
        }
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
    /// The types in the generated file that are declared elsewhere, by what Swift calls them, each with the widest access
    /// of what is of that type.
    fileprivate var externalTypes: [String: AccessLevel] {
        var found: [String: AccessLevel] = [:]
        func note(_ type: ValueType, _ access: AccessLevel) {
            guard case .external(_, let name) = type.leaf else { return }
            found[name] = max(found[name] ?? access, access)
        }
        for namespace in allNamespaces {
            // By index, as to copy thousands of keys would take longer than to look at them.
            for index in namespace.keys.indices where !namespace.isHosted(namespace.keys[index]) {
                note(namespace.keys[index].type, namespace.keys[index].access)
            }
        }
        for case .structure(let type) in types {
            for field in type.fields { note(field.type, type.access) }
        }
        return found
    }
}
