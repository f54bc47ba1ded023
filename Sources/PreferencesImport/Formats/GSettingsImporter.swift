import PreferencesSchema

/// Imports GSettings schemas, as specified by GLib's `gschema.dtd`.
struct GSettingsImporter {
    let path: String
    var definitions: GSettingsDefinitions
    var remarks: RemarkList
    var schema = ImportedSchema()
    /// The indices of the enums in the schema, by kind and id.
    var enumPlaces: [String: Int] = [:]
    private let vendorOverrides: VendorOverrides

    init(path: String, definitions: GSettingsDefinitions, vendorOverrides: VendorOverrides) {
        self.path = path
        self.definitions = definitions
        self.vendorOverrides = vendorOverrides
        remarks = RemarkList(path: path)
    }

    mutating func run(_ root: MarkupElement) throws(ImportError) {
        guard root.name == "schemalist" else {
            throw invalid(root, "the root element is <\(root.name)>; expected <schemalist> of GSettings")
        }
        definitions.add(root, path: path)
        remarks.remarkOnUnknownContents(
            of: root,
            attributes: ["gettext-domain"],
            children: ["schema", "enum", "flags"]
        )
        remarkOnTranslations(of: root)
        let schemas = root.children(named: "schema")
        guard !schemas.isEmpty else { throw invalid(root, "the file has no <schema>") }
        let identified = identified(schemas)
        let ids = Dictionary(uniqueKeysWithValues: identified)
        var namespaces: [(id: String, outer: String?, namespace: ImportedNamespace)] = []
        for (id, element) in identified {
            let outer = ids.keys.filter { id.hasPrefix("\($0).") }.max { $0.count < $1.count }
            namespaces.append((id, outer, namespace(element, id: id, outer: outer, ids: ids)))
        }
        schema.root.namespaces = nested(namespaces, in: nil)
        schema.storeName = "GSettingsKeyfileStore"
        for element in root.children where ["enum", "flags"].contains(element.name) {
            guard let id = element.attributes["id"]?.nilIfEmpty else {
                remarks.add(element.line, "<\(element.name)> is left out: it has no id")
                continue
            }
            if enumPlaces["\(element.name) \(id)"] == nil {
                remarks.add(element.line, "\(element.name) '\(id)' is left out: no key of the file uses it")
            }
        }
    }

    /// Nests each schema in the one whose id is the longest prefix of its own.
    private func nested(
        _ all: [(id: String, outer: String?, namespace: ImportedNamespace)],
        in outer: String?
    ) -> [ImportedNamespace] {
        all.filter { $0.outer == outer }.map { id, _, namespace in
            var namespace = namespace
            namespace.namespaces = nested(all, in: id)
            return namespace
        }
    }

    private func invalid(_ element: MarkupElement, _ message: String) -> ImportError {
        .invalid(path: path, line: element.line, message: message)
    }

    /// Returns the schemas with their ids, and remarks on those without an id or with a duplicate one.
    private mutating func identified(_ schemas: [MarkupElement]) -> [(String, MarkupElement)] {
        var ids: Set<String> = []
        return schemas.compactMap { schema in
            guard let id = schema.attributes["id"]?.nilIfEmpty else {
                remarks.add(schema.line, "<schema> is left out: it has no id")
                leaveOutKeys(of: schema, "its schema has no id")
                return nil
            }
            guard ids.insert(id).inserted else {
                remarks.add(schema.line, "schema '\(id)' is declared twice; the first declaration is used")
                leaveOutKeys(of: schema, "its schema is declared twice")
                return nil
            }
            return (id, schema)
        }
    }

    private mutating func leaveOutKeys(of schema: MarkupElement, _ reason: String) {
        for key in schema.children(named: "key") {
            remarks.add(key.line, "\(key.called("key", by: ["name"])) is left out: \(reason)")
        }
    }

    mutating func remarkOnTranslations(of element: MarkupElement) {
        guard let domain = element.attributes["gettext-domain"] else { return }
        remarks.add(element.line, "gettext-domain='\(domain)' is left out: texts are imported untranslated")
    }
}

// MARK: - Schemas

extension GSettingsImporter {
    private mutating func namespace(
        _ element: MarkupElement,
        id: String,
        outer: String?,
        ids: [String: MarkupElement]
    ) -> ImportedNamespace {
        remarks.remarkOnUnknownContents(
            of: element,
            attributes: ["id", "path", "gettext-domain", "extends", "list-of"],
            children: ["key", "child", "override"]
        )
        remarkOnTranslations(of: element)
        if let items = element.attributes["list-of"] {
            remarks.add(element.line, "list-of='\(items)' is left out: schemas do not support lists of namespaces")
        }
        for child in element.children(named: "child") {
            remarks.remarkOnUnknownContents(of: child, attributes: ["name", "schema"])
            guard let name = child.attributes["name"]?.nilIfEmpty else {
                remarks.add(child.line, "<child> is left out: it has no name")
                continue
            }
            guard let schema = child.attributes["schema"]?.nilIfEmpty else {
                remarks.add(child.line, "child '\(name)' is left out: it has no schema")
                continue
            }
            // The nested namespace represents this child.
            if ids[schema] != nil, schema == "\(id).\(name)" { continue }
            remarks.add(
                child.line,
                "child '\(name)' is left out: its schema '\(schema)' is not '\(id).\(name)' of this file"
            )
        }
        var namespace = ImportedNamespace(
            id: outer.map { String(id.dropFirst($0.count + 1)) } ?? id,
            names: outer.map { [String(id.dropFirst($0.count + 1))] } ?? Self.names(of: id),
            line: element.line
        )
        namespace.path = place(of: element, id: id, ids: ids)
        var described = GSettingsSchema(
            id: id,
            path: namespace.path,
            isRelocatable: element.attributes["path"] == nil,
            namespace: id
        )
        described.children = Self.children(of: element, ids: ids)
        for (key, override, keyPath) in keys(of: element, id: id) {
            let name = key.attributes["name"] ?? ""
            let value = vendorOverride(of: key, in: id) ?? override
            var known = record(of: key, default: value)
            do throws(KeyError) {
                var imported = try self.key(key, override: value, path: keyPath)
                if keyPath != path { imported.path = keyPath }
                imported.gSettingsName = GSettingsKeyName(schema: id, name: name)
                namespace.keys.append(imported)
            } catch {
                let name = key.called("key", by: ["name"])
                remarks.add(error.element.line, "\(name) is left out: \(error.reason)", path: error.element.path)
                known?.omission = error.reason
            }
            if let known, !described.keys.contains(where: { $0.name == name }) { described.keys.append(known) }
        }
        described.keys.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        schema.gSettings.append(described)
        return namespace
    }

    /// Returns the candidates for the name of a schema: the last component of its id, the last two, and so on.
    private static func names(of id: String) -> [String] {
        let parts = id.split(separator: ".")
        return parts.indices.reversed().map { parts[$0...].joined(separator: " ") }
    }

    /// Returns the default that the distribution gives a key, if it is one of the key's type.
    private func vendorOverride(of key: MarkupElement, in id: String) -> MarkupElement? {
        guard let name = key.attributes["name"], let element = vendorOverrides[id, name] else { return nil }
        let signature = key.attributes["type"] ?? (key.attributes["enum"] == nil ? "as" : "s")
        guard let type = GVariantType(signature: signature), (try? parse(element, as: type)) != nil else { return nil }
        return element
    }

    /// Returns the ids of a schema's children in the file, in alphabetical order of their names. GSettings has no child
    /// whose own path is another one.
    private static func children(of element: MarkupElement, ids: [String: MarkupElement]) -> [String] {
        let children = element.children(named: "child").compactMap { child -> (name: String, schema: String)? in
            guard let name = child.attributes["name"], let schema = child.attributes["schema"] else { return nil }
            let own = ids[schema]?.attributes["path"]
            return own == nil || own == element.attributes["path"].map { "\($0)\(name)/" } ? (name, schema) : nil
        }
        return children.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }.map(\.schema)
    }

    /// Returns the path of a schema's values; `nil`, with a remark, if it is not known.
    private mutating func place(of element: MarkupElement, id: String, ids: [String: MarkupElement]) -> String? {
        if let path = element.attributes["path"] {
            if Self.isValidPath(path) { return path }
            remarks.add(element.line, "path='\(path)' is left out: it is not a path of GSettings, such as '/a/b/'")
            return nil
        }
        if let path = Self.path(of: id, ids: ids, isInside: []) { return path }
        remarks.add(
            element.line,
            "schema '\(id)' is relocatable, as it has no path; it is imported for one location, whose path "
                + "GSettingsKeyfileStore needs"
        )
        return nil
    }

    /// Returns the path of a schema: its own or, if it is the child of one schema of the file, that of the child.
    ///
    /// - Parameter users: The schemas whose paths depend on that of this one.
    private static func path(of id: String, ids: [String: MarkupElement], isInside users: Set<String>) -> String? {
        if let path = ids[id]?.attributes["path"] { return isValidPath(path) ? path : nil }
        let places = ids.flatMap { outer, element in
            element.children(named: "child").filter { $0.attributes["schema"] == id }.map { (outer, $0) }
        }
        guard places.count == 1, let (outer, child) = places.first, !users.contains(outer),
            let name = child.attributes["name"]?.nilIfEmpty,
            let path = path(of: outer, ids: ids, isInside: users.union([id]))
        else { return nil }
        return isValidPath("\(path)\(name)/") ? "\(path)\(name)/" : nil
    }

    /// Whether GSettings can have a path, and `GSettingsKeyfileStore` accepts it.
    private static func isValidPath(_ path: String) -> Bool {
        path.count > 2 && path.hasPrefix("/") && path.hasSuffix("/") && !path.contains("//")
            && path == path.withoutControlCharacters && !path.contains { "[]".contains($0) }
            && path != "/swift-preferences/"
    }

    /// Returns the keys of a schema and of the schemas that it extends, with the overrides of their defaults.
    private mutating func keys(
        of element: MarkupElement,
        id: String
    ) -> [(key: MarkupElement, override: MarkupElement?, path: String)] {
        var keys: [(key: MarkupElement, override: MarkupElement?, path: String)] = []
        var overrides: [String: MarkupElement] = [:]
        var chain = [GSettingsDefinitions.Definition(element: element, path: path)]
        var ids: Set<String> = [id]
        while let base = chain.last?.element.attributes["extends"], let user = chain.last {
            guard ids.insert(base).inserted else {
                remarks.add(
                    user.element.line,
                    "extends='\(base)' is left out: the schema would extend itself",
                    path: user.path
                )
                break
            }
            guard let definition = definitions.definition("schema", base, for: user.path) else {
                remarks.add(
                    element.line,
                    "the keys of schema '\(base)' are left out: no file in the folder declares it"
                )
                break
            }
            chain.append(definition)
        }
        for (element, path) in chain.map({ ($0.element, $0.path) }) {
            for override in element.children(named: "override") {
                remarks.remarkOnUnknownContents(of: override, attributes: ["name", "l10n"], path: path)
                guard let name = override.attributes["name"]?.nilIfEmpty else {
                    remarks.add(override.line, "<override> is left out: it has no name", path: path)
                    continue
                }
                remarkOnLanguage(of: override, path: path)
                overrides[name] = overrides[name] ?? override
            }
        }
        for (element, path) in chain.reversed().map({ ($0.element, $0.path) }) {
            for key in element.children(named: "key") {
                keys.append((key, overrides.removeValue(forKey: key.attributes["name"] ?? ""), path))
            }
        }
        for (name, override) in overrides.sorted(by: { $0.key < $1.key }) {
            remarks.add(
                override.line,
                "the override of '\(name)' is left out: there is no such key",
                path: override.path
            )
        }
        return keys
    }
}

// MARK: - Paths

extension ImportedNamespace {
    /// Returns remarks that give the paths of the namespaces, as the argument of `GSettingsKeyfileStore`. A store has
    /// one namespace for each path.
    ///
    /// - Parameter path: The path of the imported file.
    func remarksOnPaths(path: String) -> [Remark] {
        var stores: [(line: Int?, entries: [(namespace: String, path: String)])] = []
        for (namespace, line, place) in namespacesWithPaths(below: "") {
            if let index = stores.firstIndex(where: { store in !store.entries.contains { $0.path == place } }) {
                stores[index].entries.append((namespace, place))
            } else {
                stores.append((line, [(namespace, place)]))
            }
        }
        return stores.enumerated().map { index, store in
            let entries = store.entries.map { "\(JSONText.quoted($0.namespace)): \(JSONText.quoted($0.path))" }
            let reason =
                index == 0
                ? "paths are left out; the values are found by"
                : "schemas with the same path as another need another store of the file:"
            let argument = "GSettingsKeyfileStore(paths: [\(entries.joined(separator: ", "))])"
            return Remark(path: path, line: store.line, message: "\(reason) \(argument)")
        }
    }

    /// Returns the beginnings of the storage names of the keys in each namespace with a path, without the last colon.
    ///
    /// - Parameter prefix: The ids of the enclosing namespaces, each followed by a colon.
    private func namespacesWithPaths(below prefix: String) -> [(namespace: String, line: Int?, path: String)] {
        var result: [(namespace: String, line: Int?, path: String)] = []
        let names = keys.lazy.map { $0.storageName ?? prefix + $0.id }
        // Without a colon, the name is one that the importer has made.
        let namespace = names.compactMap { name in name.utf8.lastIndex(of: UInt8(ascii: ":")).map { name[..<$0] } }
            .first
        if let path, let namespace { result.append((String(namespace), line, path)) }
        return result + namespaces.flatMap { $0.namespacesWithPaths(below: "\(prefix)\($0.id):") }
    }
}

/// The enums, flags and schemas that GSettings schemas can refer to by id. They are looked up in the file itself and in
/// the files of its folder, as by `glib-compile-schemas`.
struct GSettingsDefinitions {
    struct Definition {
        var element: MarkupElement
        var path: String
    }

    private let files: FileReader
    private var definitionsByKey: [String: Definition] = [:]
    private var readPaths: Set<String> = []
    /// The error of the first file or folder that could not be read, and may declare an id that no other file declares.
    private(set) var error: ImportError?

    init(files: FileReader) {
        self.files = files
    }

    /// Adds the declarations of a document.
    mutating func add(_ root: MarkupElement, path: String) {
        guard readPaths.insert(path).inserted else { return }
        for element in root.children where ["enum", "flags", "schema"].contains(element.name) {
            guard let id = element.attributes["id"] else { continue }
            let key = Self.key(element.name, id)
            definitionsByKey[key] = definitionsByKey[key] ?? Definition(element: element, path: path)
        }
    }

    /// Returns the declaration with an id.
    ///
    /// - Parameters:
    ///   - kind: `enum`, `flags` or `schema`.
    ///   - path: The file that refers to it.
    mutating func definition(_ kind: String, _ id: String, for path: String) -> Definition? {
        if let definition = definitionsByKey[Self.key(kind, id)] { return definition }
        var unreadable: ImportError?
        var names: [String] = []
        do throws(ImportError) {
            names = try files.fileNames(path.directoryPrefix).sorted()
        } catch {
            unreadable = error
        }
        // Enums are usually in separate files.
        for ending in [".enums.xml", ".gschema.xml"] {
            for name in names where name.hasSuffix(ending) {
                let neighbour = path.directoryPrefix + name
                guard !readPaths.contains(neighbour) else { continue }
                do throws(ImportError) {
                    let bytes = try files.read(neighbour)
                    // A malformed file is ignored: the reference that stays unresolved gets a remark.
                    if let root = try? MarkupReader.read(bytes, path: neighbour) { add(root, path: neighbour) }
                } catch {
                    unreadable = unreadable ?? error
                }
            }
            if let definition = definitionsByKey[Self.key(kind, id)] { return definition }
        }
        if let unreadable, error == nil {
            error = .unreadable(
                message: "\(unreadable); the \(kind) '\(id)' may be declared there: make it readable, or move it away"
            )
        }
        return nil
    }

    private static func key(_ kind: String, _ id: String) -> String { "\(kind) \(id)" }
}
