extension SchemaReader {
    /// Reads the fields of a struct, without their defaults.
    ///
    /// - Parameter faulty: Receives the names of the omitted fields, whose faults are reported.
    mutating func readStructFields(
        _ node: JSONNode,
        of type: Name,
        faulty: inout Set<String>
    ) -> [TypeDeclaration.Field]? {
        guard let members = members(of: node, what: "'struct'") else { return nil }
        guard !members.isEmpty else {
            report(.emptyStruct, at: node.range, "type '\(type.text)' has no fields")
            return nil
        }
        var places: [String: Range<Int>] = [:]
        return members.compactMap { member in
            guard let field = readStructField(member, of: type) else {
                faulty.insert(member.name)
                return nil
            }
            let range = member.nameRange
            if let first = places[field.id] {
                report(
                    .storageNameClash,
                    at: range,
                    "field '\(field.name.text)' would be stored as '\(field.id)', which is another field's storage name",
                    firstAt: first
                )
            }
            places[field.id] = places[field.id] ?? range
            return field
        }
    }

    /// Reads a field: a type alone, or an object.
    private mutating func readStructField(_ member: JSONMember, of type: Name) -> TypeDeclaration.Field? {
        let name = Name(text: member.name, place: place(member.nameRange))
        checkFieldName(name)
        guard case .object = member.value.content else {
            guard case .string(let text) = member.value.content else {
                reportWrongType(of: member.value, what: "a field of a struct", expected: "a type or an object")
                return nil
            }
            guard let fieldType = parseType(text, at: member.value.range) else { return nil }
            return TypeDeclaration.Field(name: name, id: name.text, type: fieldType, typeRange: member.value.range)
        }
        guard let fields = fields(of: member.value, .structField) else { return nil }
        let id = id(fields["id"], name: name)
        let description = documentationText(fields["description"], what: "'description'")
        guard let typeNode = fields["type"] else {
            if fields.isMissing("type") {
                report(.missingField, at: name.place.range, "field '\(name.text)' of '\(type.text)' has no 'type'")
            }
            return nil
        }
        guard let text = string(typeNode, what: "'type'"), let fieldType = parseType(text, at: typeNode.range) else {
            return nil
        }
        return TypeDeclaration.Field(
            name: name,
            id: id,
            description: description,
            type: fieldType,
            typeRange: typeNode.range,
            defaultNode: fields["default"]
        )
    }

    private mutating func checkFieldName(_ name: Name) {
        if !Identifier.isValid(name.text) {
            report(
                .invalidName,
                at: name.place.range,
                "'\(name.text)' cannot be the name of a field: it is not a Swift identifier",
                note: "use letters, digits and '_', not starting with a digit; 'id' sets a different storage name"
            )
        } else if ReservedNames.structFields.contains(name.text) {
            report(
                .reservedName,
                at: name.place.range,
                "a field cannot be named '\(name.text)': every generated struct already has a member of that name",
                note: "rename the field; its 'id' can keep the storage name"
            )
        } else if ReservedNames.languageTypes.contains(name.text) {
            report(
                .reservedName,
                at: name.place.range,
                "a field named '\(name.text)' would hide the type '\(name.text)'",
                note: "rename the field; its 'id' can keep the storage name"
            )
        }
    }

    /// Reports structs that contain themselves, at the field that closes the cycle.
    mutating func checkRecursion(of types: [TypeDeclaration]) {
        func links(from name: String) -> [Link<String>] {
            guard case .fields(let fields)? = declarations[name]?.contents else { return [] }
            return fields.compactMap { field in
                guard case .structure(let inner) = field.type.unwrapped else { return nil }
                return Link(target: inner, place: field.name.place)
            }
        }
        for cycle in Cycle.all(from: types.map(\.name.text), links: links) {
            let names = cycle.path.compactMap(\.self)
            // A cycle within files that another schema generates is reported for that schema.
            guard names.contains(where: { declarations[$0]?.isGeneratedElsewhere != true }) else { continue }
            findings.append(
                Finding(
                    rule: .recursiveStruct,
                    place: cycle.place,
                    message: "a struct cannot contain itself: \(cycle.description(\.self))",
                    notes: [.init(message: "use an array instead: '[\(names.last ?? "")]'")]
                )
            )
        }
    }

    mutating func readFieldDefaults(of type: inout TypeDeclaration) {
        guard case .fields(var fields) = type.contents else { return }
        reportHiddenTypes(fields)
        for index in fields.indices {
            let field = fields[index]
            checkIsHashable(field.type, at: field.typeRange)
            if let node = field.defaultNode {
                fields[index].defaultValue = fieldDefault(node, as: field.type)
            } else if field.type.isOptional {
                fields[index].defaultValue = DefaultValue.none
            }
        }
        type.contents = .fields(fields)
    }

    /// Reports fields that have the name of a field's type. In the struct's decoding, which refers to the type in an
    /// expression, the name of the field takes precedence.
    private mutating func reportHiddenTypes(_ fields: [TypeDeclaration.Field]) {
        var uses: [String: (type: String, field: String)] = [:]
        for field in fields where declaration(of: field.type.leaf) != nil {
            let type = field.type.leaf.swiftName
            // Of `Module.Type`, the first component is looked up.
            let name = String(type.prefix { $0 != "." })
            uses[name] = (type, field.name.text)
            guard NameRules.isReserved(typeOfField: name) else { continue }
            report(
                .reservedTypeName,
                at: field.typeRange,
                "a field cannot be of type '\(type)': '\(name)' has another meaning in every generated struct",
                note: "choose another name for the type"
            )
        }
        for field in fields {
            let name = field.name
            guard let use = uses[name.text] else { continue }
            report(
                .reservedName,
                at: name.place.range,
                "a field named '\(name.text)' would hide the type '\(use.type)' of field '\(use.field)'",
                note: "rename the field; its 'id' can keep the storage name"
            )
        }
    }

    private mutating func fieldDefault(_ node: JSONNode, as type: ValueType) -> DefaultValue? {
        let findingCount = findings.count
        let value = value(of: node, as: type)
        // A key can have an expression instead, but a field cannot.
        for index in findings.indices.dropFirst(findingCount) where findings[index].rule == .externalDefault {
            findings[index].notes = [.init(message: "remove the field's default, or make its type optional")]
        }
        return value
    }

    /// Reports sets of structs that contain external types, which may not be hashable.
    mutating func checkIsHashable(_ type: ValueType, at range: Range<Int>) {
        switch type {
        case .set(let element):
            if case .structure(let name) = element.leaf, !isHashable(element) {
                report(
                    .unhashableElement,
                    at: range,
                    "the elements of a set must be hashable, but '\(name)' has fields of external types",
                    note: "use an array: '[\(element.schemaName)]'"
                )
            }
        case .array(let inner), .dictionary(let inner), .optional(let inner): checkIsHashable(inner, at: range)
        default: break
        }
    }

    /// Returns whether a type is hashable. Only the compiler knows that of external types.
    func isHashable(_ type: ValueType) -> Bool {
        switch type.leaf {
        case .external: false
        case .structure(let name): !nonHashableStructs.contains(name)
        default: true
        }
    }

    /// Finds the structs that contain an external type, at any depth.
    mutating func findNonHashableStructs() {
        var users: [String: [String]] = [:]
        var pending: [String] = []
        for (name, declaration) in declarations {
            guard case .fields(let fields) = declaration.contents else { continue }
            for field in fields {
                switch field.type.leaf {
                case .external: pending.append(name)
                case .structure(let inner): users[inner, default: []].append(name)
                default: break
                }
            }
        }
        nonHashableStructs = []
        while let name = pending.popLast() {
            if nonHashableStructs.insert(name).inserted { pending += users[name] ?? [] }
        }
    }
}
