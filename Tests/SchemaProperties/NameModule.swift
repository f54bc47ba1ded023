import PreferencesSchema

extension SchemaMaker {
    /// Makes a module that uses each of ``names`` wherever it is not reserved: as the name of a key, of namespaces, of
    /// a case, of a field, and of a type of keys and fields. Random schemas would omit most of these uses.
    static func moduleOfNames() -> RandomModule {
        var maker = SchemaMaker(seed: 0)
        // The keys in the host file below have none of the names as types.
        maker.sharesTypeNames = true
        maker.module.configuration.append(("catalogue", .raw("true")))
        for (number, name) in names.enumerated() { maker.schema(of: name, number: number) }
        // A host file, in which other accessors of 'Preferences' could hide types.
        maker.types = RandomTypes()
        maker.module.hosts = ["Host.swift"]
        let initialized = typesOfInitializers.enumerated().map { ("initialized\($0)", $1) }
        let keys = maker.keys(initialized, in: [], of: "Initializers", host: "Host.swift")
        let members = [("host", JSON.string("Host.swift")), ("access", .string("fileprivate")), keys]
        maker.append("Initializers", members)
        return maker.module
    }

    /// Types whose values are written as calls of initializers.
    private static let typesOfInitializers: [ValueType] = [
        .data, .date, .url, .uuid, .duration, .array(.date), .array(.optional(.uuid)), .dictionary(.url),
        .optional(.data), .optional(.set(.uuid)), .optional(.date), .optional(.url), .array(.optional(.url)),
        .optional(.duration),
    ]

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
        var keys: [(String, JSON)] = []
        if !NameRules.isReserved(accessor: name, isOutermost: false) {
            // The key hides a type of its name. The defaults of the other keys must compile nevertheless.
            let others: [(String, ValueType)] = [("a", .array(.url)), ("b", .data), ("c", .optional(.duration))]
            let keysBeside = [(name, ValueType.enumeration(kind))] + others.filter { $0.0 != name }
            namespaces.append(namespace(["keys\(number)"], keys: keysBeside, in: schema))
            // The outer namespace declares 'OuterPreferences' itself.
            if name.capitalizedFirst != "Preferences" {
                let inner = namespace(["outer\(number)", name], keys: [(name, .structure(owner))], in: schema)
                namespaces.append(("outer\(number)", .object([("namespaces", .object([inner]))])))
            }
        }
        if !NameRules.isReserved(accessor: name, isOutermost: true) {
            if claimTypes(ofNamespace: name) {
                namespaces.append(namespace([name], keys: [(name, .enumeration(kind))], in: schema))
            } else {
                keys = [self.keys([(name, .enumeration(kind))], in: [], of: schema)]
            }
        }
        append(schema, [("types", .object(declarations)), ("namespaces", .object(namespaces))] + keys)
    }

    private mutating func append(_ schema: String, _ members: [(String, JSON)]) {
        let json = JSON.object([("formatVersion", .raw("1"))] + members)
        module.schemas.append((path: "\(schema).preferences.json", json: json))
        module.catalogues[schema] = schema.decapitalizedFirst
    }

    /// Claims the names of the types of an outermost namespace, and returns whether they were free.
    private mutating func claimTypes(ofNamespace name: String) -> Bool {
        let typeName = name.capitalizedFirst
        // Some names are those of declared types.
        guard !isTaken(namespaceType: typeName), !Self.names.contains(typeName + "Preferences") else { return false }
        claim(namespaceType: typeName)
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
        (path.last ?? "", .object([self.keys(keys, in: path, of: schema)]))
    }

    /// - Parameters:
    ///   - path: The names of the namespaces around the keys.
    ///   - host: The host file that their accessors are in.
    private mutating func keys(
        _ keys: [(name: String, type: ValueType)],
        in path: [String],
        of schema: String,
        host: String? = nil
    ) -> (String, JSON) {
        let members = keys.map { name, type in
            var key = RandomModule.Key(schema: schema, path: path + [name], type: type, types: types)
            let value = value(of: type)
            key.host = host
            key.storageName = key.path.joined(separator: ":")
            key.defaultValue = value
            key.sample = nonNil(type)
            module.keys.append(key)
            let members = [("type", JSON.string(types.spelling(type))), ("default", json(value, as: type))]
            return (name, JSON.object(members))
        }
        return ("keys", .object(members))
    }
}
