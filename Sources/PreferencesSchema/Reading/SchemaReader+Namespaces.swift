extension SchemaReader {
    /// Reads the `keys` and `namespaces` of a file or a namespace from all the files that add to it.
    ///
    /// This and ``readNamespace(_:into:)`` call each other for each level of namespaces, so that their stack frames must be
    /// small: what is not recursive is in other functions.
    mutating func readContents(of namespace: inout Namespace, from parts: [NamespacePart]) {
        readKeys(of: &namespace, from: parts)
        for group in namespaceGroups(in: parts) { readNamespace(group, into: &namespace) }
        namespace.collectNames()
    }

    private mutating func readKeys(of namespace: inout Namespace, from parts: [NamespacePart]) {
        for part in parts {
            guard let node = part.fields["keys"] else { continue }
            let context = KeyContext(
                scope: scope(of: namespace),
                pathPrefix: namespace.isRoot ? "" : namespace.dottedPath + ".",
                storagePrefix: namespace.storagePrefix,
                fileAccess: part.access
            )
            inFile(part.file) { reader in
                let members = reader.members(of: node, what: "'keys'") ?? []
                namespace.keys.reserveCapacity(namespace.keys.count + members.count)
                for member in members {
                    if let key = reader.readKey(member, in: namespace, context) {
                        namespace.keys.append(key)
                    }
                }
            }
        }
    }

    /// A namespace's member in one of the files that declare it.
    private struct NamespaceMember {
        var part: NamespacePart
        var member: JSONMember
    }

    /// Returns the nested namespaces of the parts. Those with the same name in different files are grouped.
    private mutating func namespaceGroups(in parts: [NamespacePart]) -> [[NamespaceMember]] {
        var groups: [[NamespaceMember]] = []
        var groupOfName: [String: Int] = [:]
        for part in parts {
            guard let node = part.fields["namespaces"] else { continue }
            let members = inFile(part.file) { $0.members(of: node, what: "'namespaces'") } ?? []
            for member in members {
                let declaration = NamespaceMember(part: part, member: member)
                // Duplicates in one file are not merged, so that they are reported.
                if let group = groupOfName[member.name], groups[group].last?.part.file != part.file {
                    groups[group].append(declaration)
                } else {
                    groupOfName[member.name] = groups.count
                    groups.append([declaration])
                }
            }
        }
        return groups
    }

    private mutating func readNamespace(_ members: [NamespaceMember], into outer: inout Namespace) {
        let parts = readParts(of: members)
        guard let first = members.first, !parts.isEmpty else { return }
        let outerSource = source
        source = first.part.file
        defer { source = outerSource }
        var namespace = readProperties(of: first, from: parts, in: outer)
        readContents(of: &namespace, from: parts)
        checkForKeys(first, in: parts)
        outer.namespaces.append(namespace)
    }

    private mutating func readParts(of members: [NamespaceMember]) -> [NamespacePart] {
        var parts: [NamespacePart] = []
        for declaration in members {
            inFile(declaration.part.file) { reader in
                guard let fields = reader.fields(of: declaration.member.value, .namespace) else { return }
                reader.readLint(fields, name: declaration.member.nameRange)
                parts.append(NamespacePart(file: declaration.part.file, fields: fields))
            }
        }
        return parts
    }

    /// Reads all of a namespace but its contents.
    private mutating func readProperties(
        of declaration: NamespaceMember,
        from parts: [NamespacePart],
        in outer: Namespace
    ) -> Namespace {
        let name = Name(text: declaration.member.name, place: place(declaration.member.nameRange))
        checkName(name, of: "a namespace")
        symbols.declareAccessor(name, in: scope(of: outer), kind: "namespace")
        var namespace = Namespace(path: outer.path + [name], ids: outer.ids, access: outer.access, host: outer.host)
        namespace.hooks = outer.hooks
        namespace.isManaged = outer.isManaged
        namespace.scope = outer.scope
        namespace.ids.append(readID(of: name, from: parts))
        symbols.declarePrefix(namespace.storagePrefix, ofNamespace: namespace.dottedPath, at: name.place)
        readSettings(of: &namespace, from: parts, kind: "namespace '\(name.text)'")
        namespace.access = readAccess(
            from: parts,
            of: name,
            in: outer,
            isHosted: namespace.host != nil,
            default: outer.isRoot ? declaration.part.access ?? outer.access : outer.access
        )
        readTypeName(of: &namespace, name, from: parts, in: outer)
        for part in parts { inFile(part.file) { $0.readReserved(part.fields, in: namespace) } }
        return namespace
    }

    private mutating func checkForKeys(_ declaration: NamespaceMember, in parts: [NamespacePart]) {
        guard parts.allSatisfy(\.fields.containNoKeys), !isIncomplete else { return }
        report(
            .emptyNamespace,
            at: declaration.member.nameRange,
            "namespace '\(declaration.member.name)' has no keys"
        )
    }

    private mutating func readTypeName(
        of namespace: inout Namespace,
        _ name: Name,
        from parts: [NamespacePart],
        in outer: Namespace
    ) {
        let given = agreedText(of: "typeName", from: parts, kind: "namespace '\(name.text)'")
        if let given { inFile(given.place.source) { $0.checkTypeName(given) } }
        namespace.typeName = given?.text ?? outer.typeName + name.text.capitalizedFirst
        // Invalid names are reported above, and need no further diagnostics.
        guard Identifier.isValid(namespace.typeName), Identifier.isValid(name.text) else { return }
        symbols.declareTypes(
            named: namespace.typeName,
            ofNamespace: namespace.dottedPath,
            at: given?.place ?? name.place
        )
    }

    private mutating func checkTypeName(_ name: Name) {
        guard !Identifier.isValid(name.text) else { return }
        report(
            .invalidName,
            at: name.place.range,
            "'\(name.text)' cannot be the name of a type: it is not a Swift identifier",
            note: "use letters, digits and '_', not starting with a digit"
        )
    }

    /// Completes the root. A file's own keys are accessors of a protocol named after the file, to which `Preferences`
    /// conforms.
    mutating func finishRoot(
        _ root: inout Namespace,
        _ fields: Fields,
        _ parts: [NamespacePart],
        fileName: String,
        typeName: inout String?
    ) {
        let given = agreedText(of: "typeName", from: parts, kind: "the schema")
        if let given {
            inFile(given.place.source) { $0.checkTypeName(given) }
            typeName = given.text
        }
        referenceHostedTypes(of: root)
        if parts.allSatisfy(\.fields.containNoKeys), !isIncomplete {
            report(.emptyNamespace, at: fields.place, "the schema has no keys")
        }
        guard let first = root.keys.first else { return }
        // The protocol must be as visible as the most visible of its keys, and visible in host files.
        root.access = root.keys.map(\.access).reduce(root.access, max)
        if root.hasHostedKeys { root.access = max(root.access, .internal) }
        if let typeName {
            guard Identifier.isValid(typeName) else { return }
            symbols.declareProtocol(
                named: typeName + "Preferences",
                ofFileOfKey: first.name.text,
                at: given?.place ?? first.name.place
            )
        } else {
            findings.append(
                Finding(
                    rule: .invalidFileName,
                    place: first.name.place,
                    message: "the protocol of the file's own keys is named after the file, and '\(fileName)' yields no "
                        + "Swift identifier",
                    notes: [.init(message: "give the file a 'typeName', or move its keys into a namespace")]
                )
            )
        }
    }

    /// Records the types of the accessors in host files.
    private mutating func referenceHostedTypes(of root: Namespace) {
        for namespace in root.withNested where namespace.host != nil {
            for key in namespace.keys where namespace.isHosted(key) {
                switch key.type.leaf {
                case .enumeration(let name), .structure(let name), .external(_, let name):
                    let type = Name(text: name, place: key.name.place)
                    symbols.referenceHostedType(type, firstComponent: String(name.prefix { $0 != "." }))
                default: break
                }
                for type in key.hooks {
                    let name = Name(text: type, place: key.name.place)
                    symbols.referenceHostedType(name, firstComponent: String(type.prefix { $0 != "." }))
                }
            }
        }
    }

    func scope(of namespace: Namespace) -> SymbolTable.Scope {
        namespace.isRoot ? .preferences : .namespace(source: schema, path: namespace.path.map(\.text))
    }
}

// MARK: - Settings of namespaces from several files

extension SchemaReader {
    /// Reads the description, the host file, the type with hooks, whether keys are managed, the machines that share
    /// them, and the reserved names.
    mutating func readSettings(of namespace: inout Namespace, from parts: [NamespacePart], kind: String) {
        let host = agreedText(of: "host", from: parts, kind: kind)
        if namespace.isRoot {
            // Every file may have a description; that of the schema itself is generated.
            for part in parts.reversed() {
                inFile(part.file) { reader in
                    reader.readReserved(part.fields, in: namespace)
                    namespace.description = reader.documentationText(part.fields["description"], what: "'description'")
                }
            }
        } else {
            namespace.description = agreedText(of: "description", from: parts, kind: kind).flatMap {
                $0.text.isBlank ? nil : $0.text
            }
        }
        readHooks(of: &namespace, from: parts, kind: kind)
        let managed = agreedValue(of: "managed", from: parts, kind: kind) { $0.optionalFlag($1, what: "'managed'") }
        if let managed { namespace.isManaged = managed.value }
        readScope(of: &namespace, from: parts, kind: kind)
        guard let host else { return }
        inFile(host.place.source) { reader in
            reader.checkHost(host)
            // A faulty host still counts, to avoid further diagnostics about fileprivate accessors.
            namespace.host = host
        }
    }

    /// Reads the scope of a namespace. A faulty one permits merge rules of keys, to avoid further diagnostics.
    private mutating func readScope(of namespace: inout Namespace, from parts: [NamespacePart], kind: String) {
        guard parts.contains(where: { $0.fields["scope"] != nil }) else { return }
        let given = agreedValue(of: "scope", from: parts, kind: kind) { $0.keyScope(named: $1) }
        namespace.scope = given?.value ?? .user
    }

    private mutating func readHooks(of namespace: inout Namespace, from parts: [NamespacePart], kind: String) {
        guard let type = agreedText(of: "hooks", from: parts, kind: kind) else { return }
        guard inFile(type.place.source, { $0.checkQualifiedTypeName(type) }) else { return }
        hookTypes.append(type)
        if !namespace.hooks.contains(type.text) { namespace.hooks.append(type.text) }
    }

    /// Returns the text of a field. All files that have the field must agree on it.
    private mutating func agreedText(of field: String, from parts: [NamespacePart], kind: String) -> Name? {
        agreedValue(of: field, from: parts, kind: kind) { $0.string($1, what: "'\(field)'") }
            .map { Name(text: $0, place: $1) }
    }

    /// Returns the value of a field, and its place. All files that have the field must agree on it.
    private mutating func agreedValue<Value: Equatable>(
        of field: String,
        from parts: [NamespacePart],
        kind: String,
        read: (inout SchemaReader, JSONNode) -> Value?
    ) -> (value: Value, place: Place)? {
        var found: (value: Value, place: Place)?
        for part in parts {
            inFile(part.file) { reader in
                guard let node = part.fields[field], let value = read(&reader, node) else { return }
                if let first = found, first.value != value, first.place.source != part.file {
                    reader.report(
                        .includeConflict,
                        at: node.range,
                        "\(kind) has a different '\(field)' in another file",
                        other: first.place,
                        "it is declared here"
                    )
                }
                found = found ?? (value, reader.place(node.range))
            }
        }
        return found
    }

    private mutating func readID(of name: Name, from parts: [NamespacePart]) -> String {
        guard let id = agreedText(of: "id", from: parts, kind: "namespace '\(name.text)'") else { return name.text }
        return inFile(id.place.source) { $0.checkedID(id.text, at: id.place.range) }
    }

    private mutating func readAccess(
        from parts: [NamespacePart],
        of name: Name,
        in outer: Namespace,
        isHosted: Bool,
        default: AccessLevel
    ) -> AccessLevel {
        let kind = "namespace '\(name.text)'"
        let outer = outer.isRoot ? nil : outer
        guard let text = agreedText(of: "access", from: parts, kind: kind) else {
            let isFaulty = parts.contains { $0.fields["access"] != nil }
            return isFaulty ? outer?.access ?? .public : `default`
        }
        return inFile(text.place.source) { reader in
            reader.access(named: text.text, at: text.place.range, of: kind, isHosted: isHosted, within: outer)
        }
    }

    private mutating func readReserved(_ fields: Fields, in namespace: Namespace) {
        for name in strings(fields["reserved"], what: "reserved") {
            guard !name.text.isEmpty else {
                report(.invalidID, at: name.place.range, "a reserved storage name must not be empty")
                continue
            }
            if name.text.hasControlCharacters {
                report(.invalidID, at: name.place.range, "a reserved storage name must not contain control characters")
            }
            let storageName = (namespace.ids + [name.text]).joined(separator: ":")
            symbols.reserveStorageName(storageName, at: name.place)
        }
    }
}
