extension SchemaReader {
    /// Reads the `keys` and `namespaces` of a file or a namespace, from all the files that add to it.
    mutating func readContents(of namespace: inout Namespace, from parts: [FilePart]) {
        for part in parts {
            guard let node = part.fields["keys"] else { continue }
            let surroundings = KeySurroundings(
                scope: scope(of: namespace),
                pathPrefix: namespace.isRoot ? "" : namespace.dottedPath + ".",
                storagePrefix: namespace.ids.map { $0 + ":" }.joined(),
                fileAccess: part.access
            )
            inFile(part.file) { reader in
                let members = reader.members(of: node, what: "'keys'") ?? []
                namespace.keys.reserveCapacity(namespace.keys.count + members.count)
                for member in members {
                    if let key = reader.readKey(member, in: namespace, surroundings) {
                        namespace.keys.append(key)
                    }
                }
            }
        }
        for group in namespaceGroups(in: parts) {
            if let inner = readNamespace(group, in: namespace) { namespace.namespaces.append(inner) }
        }
        namespace.collectFormerNames()
    }

    /// A namespace's member in one of the files that have it.
    private struct NamespaceMember {
        var part: FilePart
        var member: JSONMember
    }

    /// The namespaces in the parts: those of one name together where they come from different files.
    private mutating func namespaceGroups(in parts: [FilePart]) -> [[NamespaceMember]] {
        var groups: [[NamespaceMember]] = []
        var groupOfName: [String: Int] = [:]
        for part in parts {
            guard let node = part.fields["namespaces"] else { continue }
            let members = inFile(part.file) { $0.members(of: node, what: "'namespaces'") } ?? []
            for member in members {
                let one = NamespaceMember(part: part, member: member)
                // What one file has twice is a fault of that file, and told apart to be reported.
                if let group = groupOfName[member.name], groups[group].last?.part.file != part.file {
                    groups[group].append(one)
                } else {
                    groupOfName[member.name] = groups.count
                    groups.append([one])
                }
            }
        }
        return groups
    }

    private mutating func readNamespace(_ members: [NamespaceMember], in outer: Namespace) -> Namespace? {
        var parts: [FilePart] = []
        for one in members {
            inFile(one.part.file) { reader in
                guard let fields = reader.fields(of: one.member.value, .namespace) else { return }
                reader.readLint(fields, name: one.member.nameRange)
                parts.append(FilePart(file: one.part.file, fields: fields))
            }
        }
        guard let first = members.first, !parts.isEmpty else { return nil }
        let outerSource = source
        source = first.part.file
        defer { source = outerSource }
        let name = Name(text: first.member.name, place: place(first.member.nameRange))
        checkName(name, of: "a namespace")
        claims.claimAccessor(name, in: scope(of: outer), kind: "namespace")
        var namespace = Namespace(path: outer.path + [name], ids: outer.ids, access: outer.access, host: outer.host)
        namespace.ids.append(readID(of: name, from: parts))
        readSettings(of: &namespace, from: parts, kind: "namespace '\(name.text)'")
        namespace.access = readAccess(
            from: parts,
            of: name,
            in: outer,
            isHosted: namespace.host != nil,
            default: outer.isRoot ? first.part.access ?? outer.access : outer.access
        )
        claimTypes(of: namespace, name)
        for part in parts { inFile(part.file) { $0.readReserved(part.fields, in: namespace) } }
        readContents(of: &namespace, from: parts)
        if parts.allSatisfy(\.fields.areWithoutKeys), !isIncomplete {
            report(.emptyNamespace, at: first.member.nameRange, "namespace '\(name.text)' has no keys")
        }
        return namespace
    }

    private mutating func claimTypes(of namespace: Namespace, _ name: Name) {
        // What is no name makes no type: the names of types around and in it would be made up.
        guard namespace.path.allSatisfy({ Identifier.isValid($0.text) }) else { return }
        let maker = "namespace '\(namespace.dottedPath)'"
        claims.claimType(namespace.typeName, maker: maker, at: name.place)
        claims.claimType(namespace.typeName + "Preferences", maker: maker, at: name.place)
    }

    /// A file's own keys are at home in a protocol named after the file, to which `Preferences` itself conforms.
    mutating func finishRoot(
        _ root: inout Namespace,
        _ fields: Fields,
        _ parts: [FilePart],
        fileName: String,
        typeName: String?
    ) {
        if parts.allSatisfy(\.fields.areWithoutKeys), !isIncomplete {
            report(.emptyNamespace, at: fields.place, "the schema has no keys")
        }
        guard let first = root.keys.first else { return }
        // The protocol is made for its keys, so it is as visible as the most visible of them.
        root.access = root.keys.map(\.access).reduce(root.access, max)
        if let typeName {
            let maker = "the file of key '\(first.name.text)'"
            claims.claimType(typeName + "Preferences", maker: maker, at: first.name.place, isOfFile: true)
        } else {
            findings.append(
                Finding(
                    rule: .invalidFileName,
                    place: first.name.place,
                    message:
                        "the file's own keys make a protocol named after the file, and '\(fileName)' makes no Swift name",
                    notes: [.init(message: "rename the file, or put its keys into a namespace")]
                )
            )
        }
    }

    func scope(of namespace: Namespace) -> NameClaims.Scope {
        namespace.isRoot ? .preferences : .namespace(source: schema, path: namespace.path.map(\.text))
    }
}

// MARK: - What several files may say of one namespace

extension SchemaReader {
    /// Reads the description and the host file.
    mutating func readSettings(of namespace: inout Namespace, from parts: [FilePart], kind: String) {
        let host = single("host", from: parts, kind: kind)
        if namespace.isRoot {
            // Every file may describe itself; the schema's own description is the one that is generated.
            for part in parts.reversed() {
                inFile(part.file) { reader in
                    reader.readReserved(part.fields, in: namespace)
                    namespace.description = reader.prose(part.fields["description"], what: "'description'")
                }
            }
        } else {
            namespace.description = single("description", from: parts, kind: kind).flatMap {
                $0.text.isBlank ? nil : $0.text
            }
        }
        guard let host else { return }
        inFile(host.place.source) { reader in
            reader.checkHost(host)
            // One that is faulty is one nevertheless: what is fileprivate has a place to be.
            namespace.host = host
        }
    }

    /// The text of a field that all files which have it must agree on.
    private mutating func single(_ field: String, from parts: [FilePart], kind: String) -> Name? {
        var found: Name?
        for part in parts {
            inFile(part.file) { reader in
                guard let node = part.fields[field], let text = reader.string(node, what: "'\(field)'") else { return }
                if let first = found, first.text != text, first.place.source != part.file {
                    reader.report(
                        .includeConflict,
                        at: node.range,
                        "\(kind) has another '\(field)' in another file",
                        other: first.place,
                        "the other is here"
                    )
                }
                found = found ?? Name(text: text, place: reader.place(node.range))
            }
        }
        return found
    }

    private mutating func readID(of name: Name, from parts: [FilePart]) -> String {
        guard let id = single("id", from: parts, kind: "namespace '\(name.text)'") else { return name.text }
        return inFile(id.place.source) { $0.checkedID(id.text, at: id.place.range) }
    }

    private mutating func readAccess(
        from parts: [FilePart],
        of name: Name,
        in outer: Namespace,
        isHosted: Bool,
        default: AccessLevel
    ) -> AccessLevel {
        let kind = "namespace '\(name.text)'"
        let outer = outer.isRoot ? nil : outer
        guard let text = single("access", from: parts, kind: kind) else {
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
            claims.reserveStorageName(storageName, at: name.place)
        }
    }
}
