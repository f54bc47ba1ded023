import PreferencesSchema

/// The declarations of a module's schemas, by their names.
///
/// Only faulty schemas declare a name twice. A lookup then returns the first of the declarations.
struct ModuleIndex {
    /// A key and where it is declared.
    struct IndexedKey {
        var key: Key
        /// The names of its namespaces and its own, joined as in a key path: `weather.scale`.
        var path: String
        /// The index of its namespace.
        var namespace: Int
    }

    /// A namespace, without what is inside it, or the root of a file.
    struct IndexedNamespace {
        var namespace: Namespace
        var path: String
        /// The index of its schema.
        var schema: Int
        /// The name of the protocol of its keys; nil for a file whose name yields none.
        var protocolName: String?
    }

    let schemas: [Schema]
    let places: SourcePlaces
    private(set) var keys: [IndexedKey] = []
    private(set) var namespaces: [IndexedNamespace] = []
    private(set) var keyAtPath: [String: Int] = [:]
    private(set) var keyStoredAs: [String: Int] = [:]
    /// The keys by their former names.
    private(set) var keyFormerlyStoredAs: [String: Int] = [:]
    /// The namespaces by their paths, without the roots of files.
    private(set) var namespaceAtPath: [String: Int] = [:]
    private(set) var types: [String: DeclaredType] = [:]
    /// The schemas that declare the types.
    private(set) var schemaOfType: [String: Int] = [:]
    /// The protocols of files with own keys.
    private(set) var fileProtocols: Set<String> = []
    /// The places of reserved storage names.
    private(set) var reserved: [String: Place] = [:]

    init(_ set: SchemaSet) {
        // Without the namespaces, which are copied below.
        schemas = set.schemas.map { schema in
            var schema = schema
            schema.root.namespaces = []
            return schema
        }
        places = SourcePlaces(set.sources)
        for (index, schema) in set.schemas.enumerated() {
            for namespace in schema.allNamespaces { add(namespace, of: index, named: schema.typeName) }
            for type in schema.types where types[type.name.text] == nil {
                types[type.name.text] = type
                schemaOfType[type.name.text] = index
            }
        }
        for name in set.reservedNames where reserved[name.text] == nil { reserved[name.text] = name.place }
    }

    private mutating func add(_ namespace: Namespace, of schema: Int, named fileTypeName: String?) {
        let path = namespace.dottedPath
        let prefix = namespace.isRoot ? "" : path + "."
        let index = namespaces.count
        for key in namespace.keys {
            let number = keys.count
            keys.append(IndexedKey(key: key, path: prefix + key.name.text, namespace: index))
            if keyAtPath[keys[number].path] == nil { keyAtPath[keys[number].path] = number }
            if keyStoredAs[key.storageName] == nil { keyStoredAs[key.storageName] = number }
            for name in key.formerNames where keyFormerlyStoredAs[name] == nil { keyFormerlyStoredAs[name] = number }
        }
        var bare = namespace
        bare.keys = []
        bare.namespaces = []
        let typeName = namespace.isRoot ? fileTypeName : namespace.typeName
        namespaces.append(
            IndexedNamespace(
                namespace: bare,
                path: path,
                schema: schema,
                protocolName: typeName.map { $0 + "Preferences" }
            )
        )
        if namespace.isRoot {
            if let typeName, !namespace.keys.isEmpty { fileProtocols.insert(typeName + "Preferences") }
        } else if namespaceAtPath[path] == nil {
            namespaceAtPath[path] = index
        }
    }

    /// Returns the key that reads the values under a storage name: the one that is stored under it, or was.
    func reader(of storageName: String) -> Int? { keyStoredAs[storageName] ?? keyFormerlyStoredAs[storageName] }

    func enumeration(_ name: String) -> EnumType? {
        if case .enumeration(let type)? = types[name] { type } else { nil }
    }

    func structure(_ name: String) -> StructType? {
        if case .structure(let type)? = types[name] { type } else { nil }
    }

    /// Returns the place of a field of a key, or that of its name.
    func place(of field: String..., in key: Int) -> Place {
        places.place(of: field, in: keys[key].key.name.place)
    }

    /// Returns the innermost namespace with a path, or around it; nil if there is none.
    func namespace(around path: String) -> Int? {
        var path = path[...]
        while !path.isEmpty {
            if let index = namespaceAtPath[String(path)] { return index }
            path = path.lastIndex(of: ".").map { path[..<$0] } ?? ""
        }
        return nil
    }
}
