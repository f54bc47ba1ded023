import PreferencesSchema

/// Whether code that uses the accessors still compiles.
///
/// Only declarations that another module can use are compared: what is internal is compiled together with its users.
extension Comparer {
    mutating func compareAccessors() {
        compareFiles()
        compareNamespaces()
        for index in old.keys.indices where old.keys[index].key.access.isVisibleOutside { compareAccessor(of: index) }
        compareFileProtocols()
        compareTypeDeclarations()
        compareCatalogues()
    }

    // MARK: - Files

    private mutating func compareFiles() {
        let files = Dictionary(new.schemas.map { ($0.fileName, $0) }) { first, _ in first }
        for (index, schema) in old.schemas.enumerated() {
            guard let other = files[schema.fileName], schema.access.isVisibleOutside, other.access < schema.access
            else {
                continue
            }
            narrowedFiles.insert(index)
            compareAccess(
                schema.fileName,
                schema.access,
                other.access,
                at: new.places.place(ofField: "access", inSource: other.source),
                [(old.places.root(ofSource: schema.source), "the file is here in the old schema")],
                settingAccessOf: "the file"
            )
        }
    }

    /// Returns whether a declaration has the access level of its file in both versions, whose change was reported.
    ///
    /// - Parameters:
    ///   - schema: The index of the old schema.
    ///   - newSchema: The index of the new one.
    func followsFile(_ access: AccessLevel, _ schema: Int, _ newAccess: AccessLevel, _ newSchema: Int) -> Bool {
        narrowedFiles.contains(schema) && access == old.schemas[schema].access
            && newAccess == new.schemas[newSchema].access
    }

    // MARK: - Namespaces

    private mutating func compareNamespaces() {
        let newPaths = newPathsOfNamespaces()
        for (index, before) in old.namespaces.enumerated() where !before.path.isEmpty {
            let namespace = before.namespace
            // A namespace that is inside of one that is gone need not be reported too.
            guard namespace.access.isVisibleOutside, let name = namespace.path.last, !isInsideMissing(before) else {
                continue
            }
            let related = [(name.place, "the namespace is here in the old schema")]
            guard let other = new.namespaceAtPath[before.path] else {
                let renamed = newPaths[index]
                report(
                    renamed == nil ? .accessorRemoved : .accessorRenamed,
                    before.path,
                    at: renamed.flatMap { new.namespaces[$0].namespace.path.last?.place }
                        ?? placeOfMissing(before.path, schema: before.schema),
                    renamed.map { "namespace '\(before.path)' is now '\(new.namespaces[$0].path)'" }
                        ?? "there is no namespace '\(before.path)' any more",
                    old: related,
                    fix: renamed == nil
                        ? "keep the namespace, and give its keys the message for their users in 'deprecated'"
                        : "name it '\(name.text)' again, or declare a deprecated property of that name in an extension",
                    remains: renamed != nil
                )
                continue
            }
            let now = new.namespaces[other].namespace
            let place = now.path.last?.place ?? name.place
            if !followsFile(namespace.access, before.schema, now.access, new.namespaces[other].schema) {
                let access = new.places.place(of: ["access"], in: place)
                compareAccess(before.path, namespace.access, now.access, at: access, related)
            }
            if now.access.isVisibleOutside, namespace.typeName != now.typeName {
                report(
                    .typeNameChanged,
                    "Preferences.\(namespace.typeName)",
                    at: new.places.place(of: ["typeName"], in: place),
                    "the types of namespace '\(before.path)' were 'Preferences.\(namespace.typeName)' and "
                        + "'\(namespace.typeName)Preferences', and are now 'Preferences.\(now.typeName)' and "
                        + "'\(now.typeName)Preferences'",
                    old: related,
                    fix: #"add "typeName": "\#(namespace.typeName)" to namespace '\#(before.path)'"#
                )
            }
        }
    }

    /// Returns whether the namespace around another one has no namespace of the same path in the new schemas.
    private func isInsideMissing(_ namespace: ModuleIndex.IndexedNamespace) -> Bool {
        let path = namespace.namespace.path
        return path.count > 1 && new.namespaceAtPath[path.dropLast().map(\.text).joined(separator: ".")] == nil
    }

    /// Returns the new namespaces with the first keys of namespaces that are gone.
    private func newPathsOfNamespaces() -> [Int: Int] {
        var found: [Int: Int] = [:]
        for index in old.keys.indices {
            guard let successor = successors[index] ?? likelySuccessors[index] else { continue }
            let namespace = old.keys[index].namespace
            let other = new.keys[successor].namespace
            // The namespace of a likely successor may have existed before, and is then another one.
            if successors[index] == nil, old.namespaceAtPath[new.namespaces[other].path] != nil { continue }
            if found[namespace] == nil, !new.namespaces[other].path.isEmpty { found[namespace] = other }
        }
        return found
    }

    mutating func compareAccess(
        _ subject: String,
        _ before: AccessLevel,
        _ now: AccessLevel,
        at place: Place,
        _ related: [(place: Place, message: String)],
        settingAccessOf owner: String? = nil
    ) {
        guard now < before, before.isVisibleOutside else { return }
        report(
            .accessNarrowed,
            subject,
            at: place,
            "'\(subject)' was \(before.rawValue), and is now \(now.rawValue)",
            old: related,
            fix: (owner.map { #"set the "access" of \#($0)"# } ?? #"set its "access""#)
                + #" to "\#(before.rawValue)" again"#
        )
    }

    // MARK: - Keys

    private mutating func compareAccessor(of index: Int) {
        let (before, namespace) = (old.keys[index], old.namespace(of: index))
        // Reported with the namespace.
        if !namespace.path.isEmpty, new.namespaceAtPath[namespace.path] == nil { return }
        let related = [(before.key.name.place, "key '\(before.path)' is here in the old schema")]
        guard let other = new.keyAtPath[before.path] else {
            let renamed = successors[index] ?? likelySuccessors[index]
            report(
                renamed == nil ? .accessorRemoved : .accessorRenamed,
                before.path,
                at: renamed.map { new.keys[$0].key.name.place }
                    ?? placeOfMissing(before.path, schema: namespace.schema),
                renamed.map {
                    successors[index] == nil
                        ? "there is no accessor '\(before.path)' any more, and '\(new.keys[$0].path)' seems to replace it"
                        : "the accessor '\(before.path)' is now '\(new.keys[$0].path)'"
                }
                    ?? "there is no accessor '\(before.path)' any more",
                old: related,
                fix: renamed.map {
                    "declare a deprecated property '\(before.key.name.text)' that uses '\(new.keys[$0].path)' in an "
                        + "extension of '\(namespace.protocolName ?? "Preferences")'"
                }
                    ?? "keep the key\(new.reserved[before.key.storageName] == nil ? " instead of reserving its name" : ""), "
                    + "and give it the message for its users in 'deprecated'",
                remains: renamed != nil
            )
            return
        }
        let now = new.keys[other].key
        let newNamespace = new.namespace(of: other)
        let isReported =
            namespace.path.isEmpty
            ? followsFile(before.key.access, namespace.schema, now.access, newNamespace.schema)
            : before.key.access == namespace.namespace.access && now.access == newNamespace.namespace.access
        if !isReported {
            compareAccess(before.path, before.key.access, now.access, at: new.place(of: "access", in: other), related)
        }
        guard now.access.isVisibleOutside else { return }
        if before.key.type.swiftName != now.type.swiftName {
            report(
                .accessorTypeChanged,
                before.path,
                at: new.place(of: "type", in: other),
                "the accessor '\(before.path)' was of type '\(before.key.type.swiftName)', and is now of type "
                    + "'\(now.type.swiftName)'",
                old: related,
                fix:
                    "set its type to '\(before.key.type.swiftName)' again, or give the new type an accessor of its own"
            )
        }
        compareSetter(of: before, now, other, related)
        if namespace.path.isEmpty, newNamespace.path.isEmpty, let owner = namespace.protocolName,
            let newOwner = newNamespace.protocolName, owner != newOwner,
            new.fileProtocols.contains(owner)
        {
            report(
                .accessorMoved,
                before.path,
                at: now.name.place,
                "the accessor '\(before.path)' was in protocol '\(owner)', and is now in '\(newOwner)'",
                old: related,
                fix: "declare the key in '\(old.schemas[namespace.schema].fileName)' again"
            )
        }
    }

    private mutating func compareSetter(
        of before: ModuleIndex.IndexedKey,
        _ now: Key,
        _ index: Int,
        _ related: [(place: Place, message: String)]
    ) {
        guard let setter = before.key.setterAccess, setter.isVisibleOutside else { return }
        // Narrower access of the whole accessor is another change.
        if let newSetter = now.setterAccess, newSetter >= min(setter, now.access) { return }
        let field = now.isReadOnly ? "readOnly" : "setAccess"
        report(
            .setterNarrowed,
            before.path,
            at: new.place(of: field, in: index),
            now.setterAccess.map { "the setter of '\(before.path)' was \(setter.rawValue), and is now \($0.rawValue)" }
                ?? "the accessor '\(before.path)' has no setter any more",
            old: related,
            fix: "remove '\(field)' from key '\(before.path)'"
        )
    }

    // MARK: - Protocols of files

    private mutating func compareFileProtocols() {
        for before in old.namespaces where before.path.isEmpty && before.namespace.access.isVisibleOutside {
            let keys = old.schemas[before.schema].root.keys
            // If the file has no keys of its own any more, their accessors are reported instead.
            guard let name = before.protocolName, !new.fileProtocols.contains(name),
                let key = keys.first(where: { new.keyAtPath[$0.name.text] != nil }).flatMap({
                    new.keyAtPath[$0.name.text]
                })
            else { continue }
            let file = new.namespace(of: key)
            let schema = new.schemas[file.schema]
            let root = new.places.root(ofSource: schema.source)
            report(
                .typeNameChanged,
                name,
                at: root,
                "the protocol '\(name)' of the keys in '\(old.schemas[before.schema].fileName)' is now "
                    + "'\(file.protocolName ?? "that of a namespace")'",
                old: keys.first.map { [($0.name.place, "its first key is here in the old schema")] } ?? [],
                fix: #"add "typeName": "\#(name.dropLast("Preferences".count))" to the file"#
            )
        }
    }

    // MARK: - Catalogues

    private mutating func compareCatalogues() {
        let present = Dictionary(new.schemas.compactMap { schema in schema.catalogue.map { ($0.name, $0) } }) {
            first,
            _ in first
        }
        for (index, schema) in old.schemas.enumerated() {
            guard let catalogue = schema.catalogue, catalogue.access.isVisibleOutside else { continue }
            let subject = "PreferenceCatalogue.\(catalogue.name)"
            let related = [(catalogue.place, "it is declared here in the old schema")]
            guard let other = present[catalogue.name] else {
                report(
                    .catalogueRemoved,
                    subject,
                    at: placeOfFile(index),
                    "there is no '\(subject)' any more",
                    old: related,
                    fix: #"add "catalogue": true to the file, whose "typeName" or name must be the former one"#
                )
                continue
            }
            compareAccess(
                subject,
                catalogue.access,
                other.access,
                at: other.place,
                related,
                settingAccessOf: "the file"
            )
        }
    }
}

extension AccessLevel {
    /// Whether a declaration can be used outside its module.
    var isVisibleOutside: Bool { self >= .package }
}

extension Key {
    /// The access level of the setter; nil if there is none.
    fileprivate var setterAccess: AccessLevel? { isReadOnly ? nil : setAccess ?? access }
}
