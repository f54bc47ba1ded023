import PreferencesSchema

/// The schemas of a module, which edits change, with the identity of what survives them.
struct DraftModule {
    /// The names of the files, without ending. All types are in a file that they include.
    static let files = ["First", "Second"]

    var types: [DraftType] = []
    var spaces: [Space] = []
    var keys: [Key] = []
    var reserved: [Reserved] = []

    struct Space {
        var identity: Int
        var name: String
        var id: String?
        /// The identity of the enclosing namespace.
        var parent: Int?
        /// The index of its file.
        var file: Int
    }

    struct Key {
        var identity: Int
        var name: String
        var id: String?
        var storageName: String?
        /// The identity of its namespace; nil if it is a key of the file itself.
        var space: Int?
        /// The index of its file, if it has no namespace.
        var file: Int
        var type: ValueType
        var defaultValue: DraftValue?
        var constraints: [(String, JSON)] = []
        var formerNames: [String] = []
        var isSecret = false
        var isReadOnly = false
        /// Fields without an effect on values in one store: `managed`, `scope`, `deprecated`, `description`.
        var others: [(String, JSON)] = []
    }

    /// The scope of a key whose value is shared; nil if it stays on the machine.
    static func scope(of key: Key) -> String? {
        for case ("scope", .string(let scope)) in key.others { return scope }
        return nil
    }

    /// A name in `reserved`.
    struct Reserved {
        /// The namespace that reserves it.
        var space: Int?
        var text: String
    }
}

/// A default, and its JSON.
struct DraftValue {
    var value: DefaultValue
    var json: JSON
}

/// A type that a draft declares.
struct DraftType {
    var identity: Int
    var name: String
    var contents: Contents

    enum Contents {
        case enumeration([Case])
        case structure([Field])
    }

    struct Case {
        var identity: Int
        var name: String
        var rawValue: EnumType.RawValue
    }

    struct Field {
        var identity: Int
        var name: String
        var id: String?
        var type: ValueType
        var defaultValue: DraftValue?

        /// The name in stored values.
        var storedName: String { id ?? name }
    }

    var cases: [Case] {
        if case .enumeration(let cases) = contents { cases } else { [] }
    }

    var fields: [Field] {
        if case .structure(let fields) = contents { fields } else { [] }
    }
}

// MARK: - Names

extension DraftModule {
    func space(_ identity: Int?) -> Space? { spaces.first { $0.identity == identity } }

    /// A namespace and those around it, outermost first.
    private func spaces(around identity: Int?) -> [Space] {
        guard let space = space(identity) else { return [] }
        return spaces(around: space.parent) + [space]
    }

    /// The index of the file of a key.
    func file(of key: Key) -> Int { spaces(around: key.space).first?.file ?? key.file }

    /// The names of the accessors that lead to a key, and its own.
    func path(of key: Key) -> [String] { spaces(around: key.space).map(\.name) + [key.name] }

    func storageName(of key: Key) -> String {
        key.storageName ?? prefix(of: key.space) + (key.id ?? key.name)
    }

    /// The beginning of the storage names of a namespace.
    func prefix(of space: Int?) -> String {
        spaces(around: space).map { ($0.id ?? $0.name) + ":" }.joined()
    }

    /// The whole storage names that are reserved.
    var reservedNames: Set<String> { Set(reserved.map { prefix(of: $0.space) + $0.text }) }

    func type(named name: String) -> DraftType? { types.first { $0.name == name } }

    /// The declared types that values of a type contain, at any depth.
    func declaredTypes(in type: ValueType) -> [DraftType] {
        var found: [DraftType] = []
        func collect(_ type: ValueType) {
            guard let declared = self.type(named: type.leaf.swiftName),
                !found.contains(where: { $0.identity == declared.identity })
            else { return }
            found.append(declared)
            for field in declared.fields { collect(field.type) }
        }
        collect(type)
        return found
    }
}

// MARK: - JSON

extension DraftModule {
    private static let include = "Types.preferences-include.json"

    /// The texts of the files: the schemas, then the file that they include.
    var texts: [(path: String, text: String)] {
        let included = JSON.object([
            ("formatVersion", .raw("1")), ("types", .object(types.map { ($0.name, json(of: $0)) })),
        ])
        return Self.files.indices.map { file in
            var members: [(String, JSON)] = [
                ("formatVersion", .raw("1")), ("includes", .array([.string(Self.include)])),
            ]
            if file == 0 { members += reservation(nil) }
            members += contents(keys.filter { $0.space == nil && $0.file == file }, spaces(in: nil, file: file))
            return ("\(Self.files[file]).preferences.json", JSON.object(members).text)
        } + [(Self.include, included.text)]
    }

    private func spaces(in parent: Int?, file: Int) -> [Space] {
        spaces.filter { $0.parent == parent && (parent != nil || $0.file == file) }
    }

    private func contents(_ keys: [Key], _ spaces: [Space]) -> [(String, JSON)] {
        [
            ("keys", JSON.object(keys.map { ($0.name, json(of: $0)) })),
            ("namespaces", JSON.object(spaces.map { ($0.name, json(of: $0)) })),
        ]
    }

    private func reservation(_ space: Int?) -> [(String, JSON)] {
        let names = reserved.filter { $0.space == space }.map { JSON.string($0.text) }
        return names.isEmpty ? [] : [("reserved", .array(names))]
    }

    private func json(of space: Space) -> JSON {
        let inside = keys.filter { $0.space == space.identity }
        let id = space.id.map { [("id", JSON.string($0))] } ?? []
        return .object(id + reservation(space.identity) + contents(inside, spaces(in: space.identity, file: 0)))
    }

    func json(of key: Key) -> JSON {
        var members = [("type", JSON.string(RandomTypes().spelling(key.type)))]
        if let value = key.defaultValue { members.append(("default", value.json)) }
        if let id = key.id { members.append(("id", .string(id))) }
        if let name = key.storageName { members.append(("storageName", .string(name))) }
        if !key.formerNames.isEmpty { members.append(("renamedFrom", .array(key.formerNames.map(JSON.string)))) }
        if key.isSecret { members.append(("secret", .raw("true"))) }
        if key.isReadOnly { members.append(("readOnly", .raw("true"))) }
        return .object(members + key.constraints + key.others)
    }

    func json(of type: DraftType) -> JSON {
        switch type.contents {
        case .enumeration(let cases):
            let members = cases.map { enumCase in
                switch enumCase.rawValue {
                case .string(let text): (enumCase.name, JSON.string(text))
                case .int(let number): (enumCase.name, JSON.raw("\(number)"))
                }
            }
            return .object([("enum", .object(members))])
        case .structure(let fields):
            let members = fields.map { field in
                var members = [("type", JSON.string(RandomTypes().spelling(field.type)))]
                if let value = field.defaultValue { members.append(("default", value.json)) }
                if let id = field.id { members.append(("id", .string(id))) }
                return (field.name, JSON.object(members))
            }
            return .object([("struct", .object(members))])
        }
    }

    /// Reads the schemas. A valid draft has no errors.
    func read() -> (set: SchemaSet, diagnostics: [Diagnostic]) {
        let texts = texts
        let included = IncludedText.text(Array((texts.last?.text ?? "").utf8))
        return SchemaSet.read(
            texts.dropLast().map { SchemaSource(path: $0.path, bytes: Array($0.text.utf8)) },
            including: { $0 == Self.include ? included : .missing("no such file") }
        )
    }
}

// MARK: - Values

extension DraftModule {
    /// The types in the form that ``SchemaMaker`` makes values of.
    var randomTypes: RandomTypes {
        var random = RandomTypes()
        for type in types {
            random.names.append(type.name)
            switch type.contents {
            case .enumeration(let cases): random.enums[type.name] = cases.map { .init(name: $0.name) }
            case .structure(let fields):
                random.structs[type.name] = fields.map { field in
                    let isNil = field.type.isOptional && field.defaultValue == nil
                    let value = isNil ? DefaultValue.none : field.defaultValue?.value
                    return .init(name: field.name, type: field.type, defaultValue: value, json: .null)
                }
            }
        }
        return random
    }

    /// Whether a value is still one of a type, after declared types have changed.
    func fits(_ value: DefaultValue, _ type: ValueType) -> Bool {
        switch (value, type) {
        case (.none, _): return type.isOptional
        case (_, .optional(let wrapped)): return fits(value, wrapped)
        case (.bool, .bool), (.decimal, .float), (.decimal, .double), (.string, .string), (.data, .data),
            (.date, .date),
            (.url, .url), (.uuid, .uuid), (.duration, .duration):
            return true
        case (.integer(let integer), .integer(let type)): return type.range.contains(integer)
        case (.enumCase(let name), .enumeration(let type)):
            return self.type(named: type)?.cases.contains { $0.name == name } ?? false
        case (.array(let values), .array(let element)), (.array(let values), .set(let element)):
            return values.allSatisfy { fits($0, element) }
        case (.dictionary(let entries), .dictionary(let element)):
            return entries.allSatisfy { fits($0.value, element) }
        case (.structure(let given), .structure(let type)):
            let fields = self.type(named: type)?.fields ?? []
            return given.allSatisfy { value in
                fields.contains { $0.name == value.name && $0.type == value.type } && fits(value.value, value.type)
            }
                && fields.allSatisfy { field in
                    field.type.isOptional || field.defaultValue != nil || given.contains { $0.name == field.name }
                }
        default: return false
        }
    }
}
