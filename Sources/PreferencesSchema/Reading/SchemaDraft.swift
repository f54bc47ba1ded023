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
