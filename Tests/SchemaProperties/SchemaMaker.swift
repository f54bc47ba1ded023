import PreferencesSchema
import TestSupport

/// Makes a configuration and valid random schemas with all features of the language, for one module.
///
/// The expectations of each key are recorded while it is made, not read from the schema.
struct SchemaMaker {
    var random: SeededRandom
    /// The types that the current schema can use.
    var types = RandomTypes()
    var module = RandomModule()
    /// The names of the types in the module, decomposed.
    var typeNames: Set<String> = [CheckProgram.hooks]
    /// The names of the structs of namespaces, and of all protocols, decomposed.
    private var namespaceTypeNames: Set<String> = []
    /// Whether structs of namespaces can have the names of other types. They can hide these in host files, so that there
    /// are none in such modules.
    var sharesTypeNames: Bool
    /// The accessors in `Preferences`.
    private var outermostNames: Set<String> = []
    private var storageNames: Set<String> = []
    private var formerNames: Set<String> = []
    /// The access level of schemas without one.
    private var configuredAccess = AccessLevel.internal
    /// Whether schemas that do not say so have a catalogue.
    private var hasConfiguredCatalogue = false
    /// An included file, with the types that it declares.
    private var shared: (path: String, types: RandomTypes)?

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        sharesTypeNames = random.chance(2)
    }

    /// Returns the schemas of a module. Equal seeds give equal schemas.
    static func module(seed: UInt64, schemas count: Int) -> RandomModule {
        var maker = SchemaMaker(seed: seed)
        maker.configure()
        for index in 0..<count { maker.schema(number: index) }
        return maker.module
    }

    private mutating func configure() {
        if let access = pick([nil] + accessLevels) {
            configuredAccess = access
            module.configuration.append(("access", .string(access.rawValue)))
        }
        if random.chance(3) {
            hasConfiguredCatalogue = random.chance(2)
            module.configuration.append(("catalogue", .raw("\(hasConfiguredCatalogue)")))
        }
        module.configuration += imports()
        if random.chance(2) {
            module.configuration.append(("hostDirectory", .string(pick(["Hosts", "Host files/é"]))))
        }
    }

    /// Makes accepted changes, which have no effect on what is generated. Those of one module are different.
    private mutating func acceptedChanges(of schema: Int) -> [(String, JSON)] {
        guard random.chance(6) else { return [] }
        let changes = (0...random.below(3)).map { number in
            JSON.object([
                ("rule", .string(pick(ChangeRule.allCases).rawValue)), ("subject", .string("\(schema):\(number)")),
                ("reason", .string("the \(number)th change")),
            ])
        }
        return [("acceptedChanges", .array(changes))]
    }

    private mutating func imports() -> [(String, JSON)] {
        random.chance(4) ? [("imports", .array([.string(pick(["Dispatch", "Foundation"]))]))] : []
    }

    /// Makes a schema, and sometimes a file that it includes.
    private mutating func schema(number: Int) {
        types = RandomTypes()
        let name = "\(pick(["Schema", "schema", "my schema-", "ö", "S_"]))\(number)"
        let protocols = ["Schema", "MySchema", "Ö", "S"].map { "\($0)\(number)Preferences" }
        typeNames.formUnion(protocols)
        namespaceTypeNames.formUnion(protocols)
        var members: [(String, JSON)] = [("formatVersion", .raw("1"))]
        if random.chance(4) { members.append(("$schema", .string("preferences.schema.json"))) }
        let path = "\(name).preferences.json"
        let access = random.chance(3) ? nil : pick(accessLevels)
        if let access { members.append(("access", .string(access.rawValue))) }
        let typeName = random.chance(4) ? uniqueTypeName() : nil
        if let typeName { members.append(("typeName", .string(typeName))) }
        members += catalogue(of: name, typeName ?? Self.typeName(ofFile: name))
        members += imports()
        let ignored = ignoredRules()
        members += lint(ignored)
        module.ignored[path] = Set(ignored)
        if random.chance(3) { members.append(("description", .string(prose()))) }
        members += hooks()
        if random.chance(4) { members.append(("reserved", .array([.string("reserved \(number)")]))) }
        members += acceptedChanges(of: number)
        var includes: [String] = []
        if random.chance(3) {
            let include = "Include\(number).preferences-include.json"
            let declared = declaredTypes(0...3)
            var included: [(String, JSON)] = [("formatVersion", .raw("1"))]
            if !declared.isEmpty { included.append(("types", .object(declared))) }
            module.includes[include] = included
            includes.append(include)
        }
        let included = types
        if let shared, random.chance(2) {
            // Its types are generated with the schema that included it first.
            types.merge(shared.types)
            includes.append(shared.path)
        }
        if !includes.isEmpty { members.append(("includes", .array(includes.map(JSON.string)))) }
        let declared = declaredTypes(0...4)
        let externals = RandomTypes.externals.map { external in
            (external.name, JSON.object([("external", .string(external.swiftName))]))
        }
        members.append(("types", .object(declared + externals)))
        var root = Scope(access: access ?? configuredAccess, schema: name)
        root.isHosted = root.access == .fileprivate
        if root.isHosted || !sharesTypeNames && random.chance(3) {
            root.host = host()
            members.append(("host", .string(root.host ?? "")))
        }
        let keys = random.chance(2) ? [] : keys(0...6, in: root)
        if !keys.isEmpty { members.append(("keys", .object(keys))) }
        moveToOwner(root, hasNested: root.isHosted)
        var namespaces = namespaces(1...4, in: root)
        if let include = includes.first, include != shared?.path {
            if random.chance(2) {
                // It uses types of the schema, so that no other one can include it.
                let added = self.namespaces(1...1, in: root) + [halve(&namespaces[0])]
                module.includes[include]?.append(("namespaces", .object(added)))
            } else {
                shared = (include, included)
            }
        }
        members.append(("namespaces", .object(namespaces)))
        let json = JSON.object([members[0]] + members.dropFirst().shuffled(using: &random))
        module.schemas.append((path: path, json: json))
    }

    /// Removes half of the keys of a namespace, and returns them as the part of the namespace in another file.
    private func halve(_ namespace: inout (String, JSON)) -> (String, JSON) {
        guard case .object(var members) = namespace.1, let index = members.firstIndex(where: { $0.0 == "keys" }),
            case .object(let keys) = members[index].1
        else { fatalError("A namespace has keys.") }
        members[index].1 = .object(Array(keys[(keys.count / 2)...]))
        namespace.1 = .object(members)
        return (namespace.0, .object([("keys", .object(Array(keys[..<(keys.count / 2)])))]))
    }

    /// Returns the name after which a file's protocol and catalogue are named.
    private static func typeName(ofFile name: String) -> String {
        name.split { " -_".contains($0) }.map { String($0).capitalizedFirst }.joined()
    }

    private mutating func catalogue(of schema: String, _ typeName: String) -> [(String, JSON)] {
        let given = random.chance(2) ? random.chance(2) : nil
        let name = typeName.decapitalizedFirst
        guard given ?? hasConfiguredCatalogue else { return given.map { [("catalogue", .raw("\($0)"))] } ?? [] }
        if module.catalogues.values.contains(where: { $0.decomposed == name.decomposed }) {
            return [("catalogue", .raw("false"))]
        }
        module.catalogues[schema] = name
        return given.map { [("catalogue", .raw("\($0)"))] } ?? []
    }

    private mutating func hooks() -> [(String, JSON)] {
        guard random.chance(6) else { return [] }
        module.hasHooks = true
        return [("hooks", .string(CheckProgram.hooks))]
    }

    private mutating func ignoredRules() -> [Rule] {
        let rules = Rule.allCases.filter(\.isIgnorable)
        return random.chance(5) ? rules.filter { _ in random.chance(2) } : []
    }

    private func lint(_ rules: [Rule]) -> [(String, JSON)] {
        rules.isEmpty ? [] : [("lint", .object([("ignore", .array(rules.map { .string($0.rawValue) }))]))]
    }

    private mutating func declaredTypes(_ counts: ClosedRange<Int>) -> [(String, JSON)] {
        (0..<counts.lowerBound + random.below(counts.count)).map { _ in
            let name = name(capitalized: true) { [self] in isTaken(type: $0) }
            typeNames.insert(name.decomposed)
            return (name, .object(declaredType(named: name) + lint(ignoredRules())))
        }
    }

    /// Whether a name is reserved, or the name of another type.
    func isTaken(type name: String) -> Bool {
        NameRules.isReserved(type: name) || typeNames.contains(name.decomposed)
            || !sharesTypeNames && namespaceTypeNames.contains(name.decomposed)
            || RandomTypes.externals.contains { $0.name == name || $0.swiftName.hasPrefix(name) }
    }

    /// The access levels that files can have.
    private var accessLevels: [AccessLevel] {
        AccessLevel.allCases.filter { $0 > .fileprivate || !sharesTypeNames }
    }

    /// A host file, which several namespaces may share.
    private mutating func host() -> String {
        let name = "Host\(random.below(3)).swift"
        module.hosts.insert(name)
        return name
    }

    /// The surroundings of keys and namespaces.
    struct Scope {
        var path: [String] = []
        var ids: [String] = []
        var access: AccessLevel
        var host: String?
        var schema: String
        /// Whether the whole namespace is in the host file.
        var isHosted = false
        var isManaged = false
        var keyScope = KeyScope.machine
        /// The name of the namespace's struct.
        var typeName = ""
    }
}

// MARK: - Namespaces

extension SchemaMaker {
    private mutating func namespaces(_ counts: ClosedRange<Int>, in outer: Scope) -> [(String, JSON)] {
        var taken: Set<String> = []
        return (0..<counts.lowerBound + random.below(counts.count)).map { _ in namespace(in: outer, &taken) }
    }

    /// - Parameter taken: The names of the accessors in the scope around it.
    private mutating func namespace(in outer: Scope, _ taken: inout Set<String>) -> (String, JSON) {
        let isOutermost = outer.path.isEmpty
        let others = taken.union(isOutermost ? outermostNames : [])
        // Some namespaces have a type name of their own.
        let ownTypeName = random.chance(4) ? uniqueTypeName() : nil
        let name = name { [self] name in
            NameRules.isReserved(accessor: name, isOutermost: isOutermost) || others.contains(name.decomposed)
                || ownTypeName == nil && isTaken(namespaceType: outer.typeName + name.capitalizedFirst)
        }
        taken.insert(name.decomposed)
        if isOutermost { outermostNames.insert(name.decomposed) }

        var members: [(String, JSON)] = []
        var scope = outer
        scope.path.append(name)
        scope.typeName = ownTypeName ?? outer.typeName + name.capitalizedFirst
        claim(namespaceType: scope.typeName)
        if let ownTypeName { members.append(("typeName", .string(ownTypeName))) }
        var id = name
        if random.chance(4) || isTaken(outer.ids + [id]) {
            id = uniqueID(beside: [])
            members.append(("id", .string(id)))
        }
        scope.ids.append(id)
        if random.chance(3) { members.append(("description", .string(prose()))) }
        members += hooks()
        if random.chance(6) { members.append(("reserved", .array([.string("reserved \(scope.typeName)")]))) }
        members += lint(ignoredRules())
        if random.chance(6) {
            scope.isManaged = random.chance(2)
            members.append(("managed", .raw("\(scope.isManaged)")))
        }
        if random.chance(4) {
            scope.keyScope = pick(KeyScope.allCases)
            members.append(("scope", .string(scope.keyScope.rawValue)))
        }
        if !outer.isHosted {
            if !sharesTypeNames, random.chance(5) {
                scope.host = host()
                members.append(("host", .string(scope.host ?? "")))
            }
            if random.chance(3) {
                let narrower = AccessLevel.allCases.filter {
                    $0 <= outer.access && ($0 > .fileprivate || scope.host != nil)
                }
                scope.access = pick(narrower)
                members.append(("access", .string(scope.access.rawValue)))
            }
            scope.isHosted = scope.access == .fileprivate
        }
        var names: Set<String> = []
        members.append(("keys", .object(keys(1...8, in: scope, &names))))
        if outer.path.count < 3, random.chance(3) {
            var nested: [(String, JSON)] = []
            for _ in 0...random.below(2) { nested.append(namespace(in: scope, &names)) }
            members.append(("namespaces", .object(nested)))
        }
        if !outer.isHosted { moveToOwner(scope, hasNested: members.contains { $0.0 == "namespaces" }) }
        return (name, .object(members.shuffled(using: &random)))
    }

    /// Sometimes moves the region of a scope, if it has one, into a type of the host file.
    private mutating func moveToOwner(_ scope: Scope, hasNested: Bool) {
        let hosted = module.keys.indices.filter { index in
            let key = module.keys[index]
            return key.host != nil && key.schema == scope.schema && key.path.dropLast() == scope.path[...]
        }
        // If the whole namespace is hosted, nested namespaces declare types at file scope.
        guard let host = scope.host, !hosted.isEmpty, !(scope.isHosted && hasNested), random.chance(2) else { return }
        let owner = RandomModule.Owner(
            name: "Owner\(module.owners.count)",
            isClass: random.chance(2),
            host: host,
            schema: scope.schema,
            namespace: scope.path.isEmpty ? "-" : scope.path.joined(separator: ".")
        )
        module.owners.append(owner)
        for index in hosted { module.keys[index].owner = owner.name }
    }

    /// Whether the struct or the protocol of a namespace would have a reserved name, or that of another type.
    func isTaken(namespaceType name: String) -> Bool {
        [name, name + "Preferences"].contains { type in
            NameRules.isReserved(type: type) || namespaceTypeNames.contains(type.decomposed)
        } || typeNames.contains((name + "Preferences").decomposed) || !sharesTypeNames && isTaken(type: name)
    }

    /// Takes the names of the struct and the protocol of a namespace.
    mutating func claim(namespaceType name: String) {
        typeNames.insert((name + "Preferences").decomposed)
        namespaceTypeNames.formUnion([name.decomposed, (name + "Preferences").decomposed])
    }

    /// Returns a name for the struct or the protocol of a namespace or a file, which no other has.
    private mutating func uniqueTypeName() -> String {
        let typeName = name(capitalized: true) { [self] in isTaken(namespaceType: $0) }
        claim(namespaceType: typeName)
        return typeName
    }

    private func isTaken(_ ids: [String]) -> Bool {
        storageNames.contains { $0.hasPrefix(ids.joined(separator: ":").decomposed) }
    }
}

// MARK: - Keys

extension SchemaMaker {
    private mutating func keys(_ counts: ClosedRange<Int>, in scope: Scope) -> [(String, JSON)] {
        var names = outermostNames
        defer { outermostNames.formUnion(names) }
        return keys(counts, in: scope, &names)
    }

    private mutating func keys(
        _ counts: ClosedRange<Int>,
        in scope: Scope,
        _ taken: inout Set<String>
    ) -> [(String, JSON)] {
        (0..<counts.lowerBound + random.below(counts.count)).map { _ in
            let name = name { [taken] name in
                NameRules.isReserved(accessor: name, isOutermost: scope.path.isEmpty) || taken.contains(name.decomposed)
            }
            taken.insert(name.decomposed)
            return (name, key(named: name, in: scope))
        }
    }

    private mutating func key(named name: String, in scope: Scope) -> JSON {
        var type = random.chance(12) ? externalType() : type()
        var expected = RandomModule.Key(schema: scope.schema, path: scope.path + [name], type: type, types: types)
        var members: [(String, JSON)] = []

        if !types.isLiteral(type) || random.chance(12), let expression = expression(of: type) {
            members.append(("defaultExpression", .string(expression.swift)))
            expected.defaultText = expression.text
            expected.sample = nonNil(type)
        } else if types.isLiteral(type) {
            let values = [value(of: type), nonNil(type), value(of: type)]
            let hasDefault = !type.isOptional || random.chance(2)
            let defaultValue = hasDefault ? values[0] : .none
            if hasDefault { members.append(("default", json(defaultValue, as: type))) }
            expected.defaultValue = defaultValue
            expected.sample = values[1]
            if hasDefault, random.chance(8) {
                let platform = pick(Platform.allCases)
                members.append(("platformDefaults", .object([(platform.rawValue, json(values[2], as: type))])))
                if platform == .linux { expected.defaultValue = values[2] }
            }
            members += constraints(on: type, allowing: values)
        } else {
            // A default can only be written in Swift, so there is none.
            type = type.isOptional ? type : .optional(type)
            expected.type = type
            expected.defaultValue = DefaultValue.none
            expected.sample = nonNil(type)
        }
        members.append(("type", .string(spaced(types.spelling(type)))))
        members += options(of: &expected, named: name, in: scope)
        members += sharing(of: &expected, members, in: scope)
        module.keys.append(expected)
        return .object(members.shuffled(using: &random))
    }

    /// Returns a value that is not nil. Setting nil would reset the key.
    mutating func nonNil(_ type: ValueType) -> DefaultValue { value(of: type.unwrapped) }

    /// The fields that do not depend on the type.
    private mutating func options(of expected: inout RandomModule.Key, named name: String, in scope: Scope) -> [(
        String, JSON
    )] {
        var members = lint(ignoredRules())
        var id = name
        if random.chance(8) {
            let given = "stored \(storageNames.count) \(string().filter { $0 != "\0" && !$0.isControl })"
            storageNames.insert(given.decomposed)
            members.append(("storageName", .string(given)))
            expected.storageName = given
        } else if random.chance(4)
            || !storageNames.insert((scope.ids + [id]).joined(separator: ":").decomposed).inserted
        {
            repeat {
                id = uniqueID(beside: [])
            } while !storageNames.insert((scope.ids + [id]).joined(separator: ":").decomposed).inserted
            members.append(("id", .string(id)))
        }
        if expected.storageName.isEmpty { expected.storageName = (scope.ids + [id]).joined(separator: ":") }
        for field in ["description", "label", "unit"] where random.chance(3) {
            members.append((field, .string(prose())))
        }
        if random.chance(8) {
            members.append(("secret", .raw("true")))
            expected.isSecret = true
        }
        expected.isManaged = scope.isManaged && !expected.isSecret
        if random.chance(6) {
            // A secret key cannot be managed.
            expected.isManaged = !expected.isSecret && random.chance(2)
            members.append(("managed", .raw("\(expected.isManaged)")))
        }
        if random.chance(10) {
            members.append(("deprecated", .string(prose())))
            expected.isDeprecated = true
        }
        if random.chance(8) {
            let former = "former \(formerNames.count) \(string().filter { $0 != "\0" && !$0.isControl })"
            formerNames.insert(former)
            expected.formerNames = [former]
            members.append(("renamedFrom", random.chance(2) ? .string(former) : .array([.string(former)])))
        }
        var access = scope.access
        if !scope.isHosted, random.chance(4) {
            access = pick(
                AccessLevel.allCases.filter { $0 <= scope.access && ($0 > .fileprivate || scope.host != nil) }
            )
            members.append(("access", .string(access.rawValue)))
        }
        var setAccess = access
        if random.chance(10) {
            members.append(("readOnly", .raw("true")))
            expected.isReadOnly = true
        } else if access > .fileprivate, random.chance(6) {
            let narrower = AccessLevel.allCases.filter { $0 < access && ($0 > .fileprivate || scope.host != nil) }
            if !narrower.isEmpty {
                setAccess = pick(narrower)
                members.append(("setAccess", .string(setAccess.rawValue)))
            }
        }
        if setAccess == .fileprivate { expected.host = scope.host }
        return members
    }

    /// A Swift expression of a type, and how the program prints its value. It names no type or function, which a key
    /// beside it could hide.
    private mutating func expression(of type: ValueType) -> (swift: String, text: String)? {
        switch type {
        case .bool: ("true && !false", "true")
        case .integer: ("1 + 2 * 3", "7")
        case .double: (".pi * 0", "d0")
        case .string: (#""a" + "\(["b"].joined())".uppercased()"#, #""aB""#)
        case .date: (".init(timeIntervalSinceReferenceDate: 0)", "t0")
        case .duration: (".seconds(1) + .milliseconds(500)", "a1500000000000000000")
        case .array, .set: (random.chance(2) ? "[]" : ".init()", types.isSet(type) ? "{}" : "[]")
        case .dictionary: ("[:]", "{}")
        case .optional: (pick(["nil", ".none"]), "nil")
        case .external("Point", _): (".init(x: 1, y: 0)", "(x: 1, y: d0)")
        case .external: (".init(width: 3)", "(width: 3)")
        default: nil
        }
    }
}

extension RandomTypes {
    fileprivate func isSet(_ type: ValueType) -> Bool {
        if case .set = type { true } else { false }
    }
}

extension Character {
    fileprivate var isControl: Bool {
        unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
}
