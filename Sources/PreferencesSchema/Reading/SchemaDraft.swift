/// A schema that is read, but for how visible its types and imports have to be, which those read after it have a say in.
struct SchemaDraft {
    var schema: Schema
    var types: [TypeDeclaration]
    /// The names of structs whose values can be compared.
    var hashable: Set<String>
    var modules: [String]
    /// The types that are declared elsewhere, by what Swift calls them.
    var externalTypes: [(swiftName: String, place: Place)]

    /// - Parameter uses: For each declared type, the widest access of the accessors that use it.
    func schema(uses: [Place: AccessLevel]) -> Schema {
        var schema = schema
        schema.types = types.compactMap { type in
            declaredType(type, access: max(schema.access, uses[type.name.place] ?? schema.access))
        }
        schema.imports = modules.map { module in
            let visible = externalTypes.filter { $0.swiftName.hasPrefix(module + ".") }.compactMap { uses[$0.place] }
            return ModuleImport(module: module, access: visible.max() ?? .internal)
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
