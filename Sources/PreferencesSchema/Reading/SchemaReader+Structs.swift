import PreferencesJSON

extension SchemaReader {
    /// The fields of a struct, without their defaults.
    mutating func readStructFields(_ node: JSONNode, of type: Name) -> [TypeDeclaration.Field]? {
        guard let members = members(of: node, what: "'struct'") else { return nil }
        guard !members.isEmpty else {
            report(.emptyStruct, at: node.range, "type '\(type.text)' has no fields")
            return nil
        }
        var places: [String: Range<Int>] = [:]
        return members.compactMap { member in
            guard let field = readStructField(member, of: type) else { return nil }
            let range = member.nameRange
            if let first = places[field.id] {
                report(
                    .storageNameClash,
                    at: range,
                    "field '\(field.name.text)' would be stored as '\(field.id)', like another field",
                    firstAt: first
                )
            }
            places[field.id] = places[field.id] ?? range
            return field
        }
    }

    /// A field as its type alone, or as an object.
    private mutating func readStructField(_ member: JSONMember, of type: Name) -> TypeDeclaration.Field? {
        let name = Name(text: member.name, place: place(member.nameRange))
        checkFieldName(name)
        guard case .object = member.value.content else {
            guard let text = string(member.value, what: "a field of a struct"),
                let fieldType = parseType(text, at: member.value.range)
            else { return nil }
            return TypeDeclaration.Field(name: name, id: name.text, type: fieldType)
        }
        guard let fields = fields(of: member.value, .structField) else { return nil }
        let id = id(fields["id"], name: name)
        let description = string(fields["description"], what: "'description'")
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
            defaultNode: fields["default"]
        )
    }

    private mutating func checkFieldName(_ name: Name) {
        if !Identifier.isValid(name.text) {
            report(
                .invalidName,
                at: name.place.range,
                "'\(name.text)' cannot be the name of a field: it is not a Swift identifier",
                note: "use letters, digits and '_', not beginning with a digit; 'id' sets another storage name"
            )
        } else if ReservedNames.structFields.contains(name.text) {
            report(
                .reservedName,
                at: name.place.range,
                "a field cannot be named '\(name.text)': every generated struct has a member of that name already",
                note: "rename the field; its 'id' can keep the storage name"
            )
        } else if ReservedNames.types.contains(name.text) {
            report(
                .reservedName,
                at: name.place.range,
                "a field named '\(name.text)' would hide the type '\(name.text)'",
                note: "rename the field; its 'id' can keep the storage name"
            )
        }
    }

    /// Reports a struct that would have to be inside itself.
    mutating func checkRecursion(of type: TypeDeclaration) {
        guard case .fields(let fields) = type.contents else { return }
        for field in fields {
            guard let chain = chain(from: field.type, to: type.name.text) else { continue }
            let way = ([type.name.text] + chain).map { "'\($0)'" }.joined(separator: " → ")
            report(
                .recursiveStruct,
                at: field.name.place.range,
                "a struct cannot have itself inside: \(way)",
                note: "an array of them is possible: '[\(type.name.text)]'"
            )
        }
    }

    /// The structs that are one inside the other from a field's type to a struct; nil where it is not inside.
    private func chain(from type: ValueType, to name: String) -> [String]? {
        var visited: Set<String> = []
        var waiting: [(type: ValueType, chain: [String])] = [(type, [])]
        while let (type, chain) = waiting.popLast() {
            guard case .structure(let inner) = type.unwrapped else { continue }
            if inner == name { return chain + [inner] }
            guard visited.insert(inner).inserted, case .fields(let fields)? = declarations[inner]?.contents else {
                continue
            }
            waiting += fields.map { ($0.type, chain + [inner]) }
        }
        return nil
    }

    mutating func readFieldDefaults(of type: inout TypeDeclaration) {
        guard case .fields(var fields) = type.contents else { return }
        for index in fields.indices {
            let field = fields[index]
            checkIsHashable(field.type, at: field.name.place.range)
            if let node = field.defaultNode {
                fields[index].defaultValue = value(of: node, as: field.type)
            } else if field.type.isOptional {
                fields[index].defaultValue = DefaultValue.none
            }
        }
        type.contents = .fields(fields)
    }

    /// Reports a set of what cannot be told to be equal, as far as that is known.
    mutating func checkIsHashable(_ type: ValueType, at range: Range<Int>) {
        switch type {
        case .set(let element):
            if case .structure(let name) = element.leaf, !isHashable(element) {
                report(
                    .unhashableElement,
                    at: range,
                    "the elements of a set must be hashable, and '\(name)' has fields of types that are declared elsewhere"
                )
            }
        case .array(let inner), .dictionary(let inner), .optional(let inner): checkIsHashable(inner, at: range)
        default: break
        }
    }

    /// Whether values of a type can be compared and be in sets. Of external types only the compiler knows.
    func isHashable(_ type: ValueType) -> Bool {
        var visited: Set<String> = []
        var waiting = [type.leaf]
        while let type = waiting.popLast() {
            switch type {
            case .external: return false
            case .structure(let name):
                guard visited.insert(name).inserted, case .fields(let fields)? = declarations[name]?.contents else {
                    continue
                }
                waiting += fields.map(\.type.leaf)
            default: break
            }
        }
        return true
    }
}
