/// Imports the schemas of GSettings, as `gschema.dtd` of GLib describes them.
struct SettingsImporter {
    let path: String
    var library: SettingsLibrary
    var remarks: Remarks
    var schema = ImportedSchema()
    /// The places of the enums in the schema, by their ids.
    var enumPlaces: [String: Int] = [:]

    init(path: String, library: SettingsLibrary) {
        self.path = path
        self.library = library
        remarks = Remarks(path: path)
    }

    mutating func run(_ root: MarkupElement) throws(ImportFault) {
        guard root.name == "schemalist" else {
            throw fault(root, "the document is a <\(root.name)>; expected GSettings' <schemalist>")
        }
        library.add(root, path: path)
        remarks.checkContents(of: root, attributes: ["gettext-domain"], children: ["schema", "enum", "flags"])
        remarkOnTranslations(of: root)
        let schemas = root.children(named: "schema")
        guard !schemas.isEmpty else { throw fault(root, "the file has no <schema>") }
        let identified = identified(schemas)
        let ids = Dictionary(uniqueKeysWithValues: identified)
        var namespaces: [(id: String, outer: String?, namespace: ImportedNamespace)] = []
        for (id, element) in identified {
            let outer = ids.keys.filter { id.hasPrefix("\($0).") }.max { $0.count < $1.count }
            namespaces.append((id, outer, namespace(element, id: id, outer: outer, ids: ids)))
        }
        schema.root.namespaces = nested(namespaces, in: nil)
        for element in root.children where ["enum", "flags"].contains(element.name) {
            guard let id = element.attributes["id"]?.nilIfEmpty else {
                remarks.add(element.line, "<\(element.name)> is left out: it has no id")
                continue
            }
            if enumPlaces["\(element.name) \(id)"] == nil {
                remarks.add(element.line, "\(element.name) '\(id)' is left out, as no key of the file uses it")
            }
        }
    }

    /// A schema whose id begins with another's is a namespace inside that one's.
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

    private func fault(_ element: MarkupElement, _ message: String) -> ImportFault {
        .faulty(path: path, line: element.line, message: message)
    }

    /// The schemas that have an id, and one that no other has before them.
    private mutating func identified(_ schemas: [MarkupElement]) -> [(String, MarkupElement)] {
        var ids: Set<String> = []
        return schemas.compactMap { schema in
            guard let id = schema.attributes["id"]?.nilIfEmpty else {
                remarks.add(schema.line, "<schema> is left out: it has no id")
                leaveOutKeys(of: schema, "its schema has no id")
                return nil
            }
            guard ids.insert(id).inserted else {
                remarks.add(schema.line, "schema '\(id)' is there twice; the first one stands")
                leaveOutKeys(of: schema, "its schema is there twice")
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
        remarks.add(element.line, "gettext-domain='\(domain)' is left out: texts are as they are here, untranslated")
    }
}

// MARK: - Schemas

extension SettingsImporter {
    private mutating func namespace(
        _ element: MarkupElement,
        id: String,
        outer: String?,
        ids: [String: MarkupElement]
    ) -> ImportedNamespace {
        remarks.checkContents(
            of: element,
            attributes: ["id", "path", "gettext-domain", "extends", "list-of"],
            children: ["key", "child", "override"]
        )
        remarkOnTranslations(of: element)
        remarkOnPlace(of: element, id: id, ids: ids)
        if let items = element.attributes["list-of"] {
            remarks.add(element.line, "list-of='\(items)' is left out: a schema has no lists of namespaces")
        }
        for child in element.children(named: "child") {
            remarks.checkContents(of: child, attributes: ["name", "schema"])
            guard let name = child.attributes["name"]?.nilIfEmpty else {
                remarks.add(child.line, "<child> is left out: it has no name")
                continue
            }
            guard let schema = child.attributes["schema"]?.nilIfEmpty else {
                remarks.add(child.line, "child '\(name)' is left out: it has no schema")
                continue
            }
            // This is what the namespace inside this one says.
            if ids[schema] != nil, schema == "\(id).\(name)" { continue }
            remarks.add(child.line, "child '\(name)' is left out: the id of its schema '\(schema)' does not say so")
        }
        var namespace = ImportedNamespace(
            id: outer.map { String(id.dropFirst($0.count + 1)) } ?? id,
            names: outer.map { [String(id.dropFirst($0.count + 1))] } ?? Self.names(of: id),
            line: element.line
        )
        for (key, override, keyPath) in keys(of: element, id: id) {
            do throws(KeyFault) {
                var imported = try self.key(key, override: override, path: keyPath)
                if keyPath != path { imported.path = keyPath }
                namespace.keys.append(imported)
            } catch {
                let name = key.called("key", by: ["name"])
                remarks.add(error.element.line, "\(name) is left out: \(error.reason)", path: error.element.path)
            }
        }
        return namespace
    }

    /// What a schema may be called: by the last part of its id, or by more of them.
    private static func names(of id: String) -> [String] {
        let parts = id.split(separator: ".")
        return parts.indices.reversed().map { parts[$0...].joined(separator: " ") }
    }

    private mutating func remarkOnPlace(of element: MarkupElement, id: String, ids: [String: MarkupElement]) {
        if let place = element.attributes["path"] {
            remarks.add(element.line, "path='\(place)' is left out: values that dconf has there are not taken over")
            return
        }
        let isChild = ids.values.contains { outer in
            outer.children(named: "child").contains { $0.attributes["schema"] == id }
        }
        guard !isChild else { return }
        remarks.add(element.line, "schema '\(id)' has no path, so that it can be in many places; here it is in one")
    }

    /// The keys of a schema and of those that it extends, each with what overrides its default.
    private mutating func keys(
        of element: MarkupElement,
        id: String
    ) -> [(key: MarkupElement, override: MarkupElement?, path: String)] {
        var keys: [(key: MarkupElement, override: MarkupElement?, path: String)] = []
        var overrides: [String: MarkupElement] = [:]
        var chain = [SettingsLibrary.Definition(element: element, path: path)]
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
            guard let definition = library.definition("schema", base, for: user.path) else {
                remarks.add(element.line, "the keys of schema '\(base)' are left out: it is in no file here")
                break
            }
            chain.append(definition)
        }
        for (element, path) in chain.map({ ($0.element, $0.path) }) {
            for override in element.children(named: "override") {
                remarks.checkContents(of: override, attributes: ["name", "l10n"], path: path)
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
