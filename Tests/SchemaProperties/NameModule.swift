import PreferencesSchema

extension SchemaMaker {
    /// Makes a module in which each name that has a meaning stands wherever it is not reserved: it is the name of a key, of
    /// namespaces, of a case, of a field, and of a type that keys and fields have. Chance would leave out most of this.
    static func moduleOfNames() -> RandomModule {
        var maker = SchemaMaker(seed: 0)
        for (number, name) in names.enumerated() { maker.schema(of: name, number: number) }
        return maker.module
    }

    private mutating func schema(of name: String, number: Int) {
        types = RandomTypes()
        var declarations: [(String, JSON)] = []
        let cases = NameRules.isReserved(enumCase: name) ? "a" : name
        let field = NameRules.isReserved(structField: name) ? "a" : name
        let (kind, owner, user) = ("Kind\(number)", "Owner\(number)", "User\(number)")
        declarations.append(declare(kind, cases: [cases, "zz"]))
        declarations.append(
            declare(owner, fields: [(field, .integer(.int)), ("date", .date), ("kind", .enumeration(kind))])
        )
        if !isTaken(type: name), typeNames.insert(name.decomposed).inserted {
            declarations.append(declare(name, cases: ["first", "second"]))
            let type = ValueType.enumeration(name)
            if !NameRules.isReserved(typeOfField: name) {
                let types: [ValueType] = [type, .array(type), .set(type), .dictionary(type), .optional(type)]
                declarations.append(declare(user, fields: types.enumerated().map { ("field\($0)", $1) }))
            }
        }
        let typed = types.names.enumerated().map { index, name in
            ("key\(index)", types.enums[name] == nil ? ValueType.structure(name) : .enumeration(name))
        }
        let schema = "Names\(number)"
        var namespaces = [namespace(["types\(number)"], keys: typed, in: schema)]
        if !NameRules.isReserved(accessor: name, isOutermost: false) {
            // The key hides a type of its name, and these are of types that are called by their names.
            let others: [(String, ValueType)] = [("a", .array(.url)), ("b", .data), ("c", .optional(.duration))]
            let keys = [(name, ValueType.enumeration(kind))] + others.filter { $0.0 != name }
            namespaces.append(namespace(["keys\(number)"], keys: keys, in: schema))
            // The one around it makes 'OuterPreferences' itself.
            if name.capitalizedFirst != "Preferences" {
                let inner = namespace(["outer\(number)", name], keys: [(name, .structure(owner))], in: schema)
                namespaces.append(("outer\(number)", .object([("namespaces", .object([inner]))])))
            }
        }
        if !NameRules.isReserved(accessor: name, isOutermost: true), claimTypes(ofNamespace: name) {
            namespaces.append(namespace([name], keys: [(name, .enumeration(kind))], in: schema))
        }
        let json = JSON.object([
            ("formatVersion", .raw("1")), ("types", .object(declarations)), ("namespaces", .object(namespaces)),
        ])
        module.schemas.append((path: "\(schema).preferences.json", json: json))
    }

    /// Whether the types of an outermost namespace can have their names, which they have from then on.
    private mutating func claimTypes(ofNamespace name: String) -> Bool {
        let names = [name.capitalizedFirst, name.capitalizedFirst + "Preferences"]
        // Some names are to be those of declared types.
        guard names.allSatisfy({ !isTaken(type: $0) && !Self.names.contains($0) }) else { return false }
        typeNames.formUnion(names.map(\.decomposed))
        return true
    }

    private mutating func declare(_ name: String, cases: [String]) -> (String, JSON) {
        types.enums[name] = cases.map { .init(name: $0) }
        types.names.append(name)
        return (name, .object([("enum", .array(cases.map(JSON.string)))]))
    }

    private mutating func declare(_ name: String, fields: [(String, ValueType)]) -> (String, JSON) {
        let fields = fields.map { name, type in
            let value = value(of: type)
            let members = [("type", JSON.string(types.spelling(type))), ("default", json(value, as: type))]
            return RandomTypes.RandomField(name: name, type: type, defaultValue: value, json: .object(members))
        }
        types.structs[name] = fields
        types.names.append(name)
        return (name, .object([("struct", .object(fields.map { ($0.name, $0.json) }))]))
    }

    /// - Parameter path: The names of the namespaces around it, and its own.
    private mutating func namespace(
        _ path: [String],
        keys: [(name: String, type: ValueType)],
        in schema: String
    ) -> (String, JSON) {
        let members = keys.map { name, type in
            var key = RandomModule.Key(schema: schema, path: path + [name], type: type, types: types)
            let value = value(of: type)
            key.storageName = key.path.joined(separator: ":")
            key.defaultValue = value
            key.sample = nonNil(type)
            module.keys.append(key)
            let members = [("type", JSON.string(types.spelling(type))), ("default", json(value, as: type))]
            return (name, JSON.object(members))
        }
        return (path.last ?? "", .object([("keys", .object(members))]))
    }
}
