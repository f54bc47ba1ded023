import PreferencesSchema
import TestSupport

/// Makes a random module, and edits it as its authors could.
///
/// The identity of every key, case and field is tracked through the edits, without the help of the comparison that the
/// edits test.
struct EditMaker {
    /// Makes types, values and constraints.
    var maker: SchemaMaker
    var draft = DraftModule()
    /// The edits of keys and types, by their identity.
    private(set) var history: [Int: [String]] = [:]
    /// The names and identities that were given.
    private var count = 0

    init(seed: UInt64, keys: Int) {
        maker = SchemaMaker(seed: seed)
        makeTypes()
        for file in DraftModule.files.indices {
            for _ in 0..<2 { draft.spaces.append(space(in: nil, file: file)) }
        }
        draft.spaces.append(space(in: draft.spaces[0].identity, file: 0))
        for _ in 0..<keys {
            let before = draft
            addKey()
            if !isValid { draft = before }
        }
        for _ in 0..<4 { draft.reserved.append(.init(space: nil, text: "reserved:\(number())")) }
        draft.reserved.append(.init(space: draft.spaces[0].identity, text: "reserved \(number())"))
    }

    // MARK: Randomness

    mutating func pick<Element>(_ elements: [Element]) -> Element { maker.pick(elements) }

    mutating func chance(_ times: Int) -> Bool { maker.random.chance(times) }

    mutating func below(_ bound: Int) -> Int { maker.random.below(bound) }

    mutating func number() -> Int {
        count += 1
        return count
    }

    // MARK: Declarations

    private mutating func space(in parent: Int?, file: Int) -> DraftModule.Space {
        let identity = number()
        let id = chance(3) ? "space-\(identity)" : nil
        return .init(identity: identity, name: "space\(identity)", id: id, parent: parent, file: file)
    }

    private mutating func makeTypes() {
        while draft.types.count < 14 {
            let before = draft
            let name = "Type\(number())"
            if draft.types.count < 5 {
                draft.types.append(.init(identity: number(), name: name, contents: .enumeration(cases())))
            } else {
                var fields: [DraftType.Field] = []
                for _ in 0...below(5) { fields.append(field(of: fieldType(in: name), in: name)) }
                draft.types.append(.init(identity: number(), name: name, contents: .structure(fields)))
            }
            maker.types = draft.randomTypes
            guard !isValid else { continue }
            draft = before
            maker.types = draft.randomTypes
        }
    }

    private mutating func cases() -> [DraftType.Case] {
        let kind = below(3)
        return (0...1 + below(4)).map { _ in enumCase(isInteger: kind == 0, hasOwnName: kind == 1) }
    }

    mutating func enumCase(isInteger: Bool, hasOwnName: Bool) -> DraftType.Case {
        let identity = number()
        let name = "case\(identity)"
        let rawValue: EnumType.RawValue =
            isInteger ? .int(Int64(identity * (chance(4) ? -1000 : 1))) : .string(hasOwnName ? name : "raw \(identity)")
        return .init(identity: identity, name: name, rawValue: rawValue)
    }

    /// A type of a field, which is seldom an array of the struct itself.
    mutating func fieldType(in name: String) -> ValueType {
        chance(20) ? .array(.structure(name)) : maker.type(depth: 2)
    }

    /// - Parameter name: That of the struct. A default that contains it would contain itself.
    mutating func field(of type: ValueType, in name: String) -> DraftType.Field {
        let identity = number()
        return .init(
            identity: identity,
            name: "field\(identity)",
            id: chance(4) ? "f \(identity)" : nil,
            type: type,
            defaultValue: chance(2) && type.leaf != .structure(name) ? draftValue(of: type) : nil
        )
    }

    mutating func draftValue(of type: ValueType) -> DraftValue {
        let value = maker.value(of: type)
        return DraftValue(value: value, json: maker.json(value, as: type))
    }

    /// A type of a key. Declared types, whose edits affect several keys, are frequent.
    private mutating func keyType() -> ValueType {
        guard chance(3) else { return maker.type() }
        let declared = pick(draft.types)
        let type = declared.fields.isEmpty ? ValueType.enumeration(declared.name) : .structure(declared.name)
        return [type, .optional(type), .array(type), .dictionary(type)][chance(2) ? 0 : below(4)]
    }

    /// Adds a key, and returns its identity.
    @discardableResult
    mutating func addKey() -> Int {
        let identity = number()
        let space = chance(6) ? nil : pick(draft.spaces).identity
        var key = DraftModule.Key(
            identity: identity,
            name: "key\(identity)",
            space: space,
            file: below(DraftModule.files.count),
            type: keyType()
        )
        if chance(5) { key.id = "key-\(identity)" } else if chance(12) { key.storageName = "stored.\(identity)" }
        if chance(4) { key.formerNames = (0...below(2)).map { "former:\($0):\(identity)" } }
        if chance(9) { Self.keepSecret(&key) }
        if !key.type.isOptional || !key.isSecret && chance(2) { key.defaultValue = draftValue(of: key.type) }
        key.constraints = constraints(on: key)
        if !key.isSecret, identity.isMultiple(of: 4) { key.others = [("scope", .string("user"))] }
        draft.keys.append(key)
        return identity
    }

    /// Makes a key secret, whose default would be public.
    static func keepSecret(_ key: inout DraftModule.Key) {
        key.isSecret = true
        key.others.removeAll { $0.0 == "scope" }
        key.defaultValue = nil
        if !key.type.isOptional { key.type = .optional(key.type) }
    }

    /// Makes constraints that the default of a key satisfies, or none.
    mutating func constraints(on key: DraftModule.Key) -> [(String, JSON)] {
        var values: [DefaultValue] = []
        if let value = key.defaultValue?.value { values.append(value) }
        if values.isEmpty || chance(3) { values.append(maker.value(of: key.type.unwrapped)) }
        guard key.type.unwrapped != .string || !chance(5) else {
            return [("pattern", .string(pick([#"[a-z]*"#, #"(?s).{0,3}"#, #"(?s)[^0-9]*"#, ".*"])))]
        }
        return maker.constraints(on: key.type, allowing: values)
    }

    var isValid: Bool { !draft.read().diagnostics.contains { $0.severity == .error } }

    // MARK: Edits

    /// Makes an edit. One that makes the schemas invalid is undone.
    ///
    /// - Parameters:
    ///   - identity: That of the key or type that is edited.
    ///   - edit: Makes the edit, and describes it; returns nil if there is nothing to edit.
    mutating func attempt(_ identity: Int, _ edit: (inout EditMaker) -> String?) {
        let before = draft
        guard let text = edit(&self) else {
            draft = before
            return
        }
        let affected = repair()
        if !isValid {
            // The rest may be valid without the constraints of the keys that are affected.
            for index in draft.keys.indices where draft.keys[index].identity == identity || affected.contains(index) {
                draft.keys[index].constraints = []
            }
            guard isValid else {
                draft = before
                maker.types = draft.randomTypes
                return
            }
        }
        history[identity, default: []].append(text)
    }

    /// Replaces the defaults that are no values of their types any more.
    ///
    /// - Returns: The indices of the keys that use declared types.
    private mutating func repair() -> [Int] {
        maker.types = draft.randomTypes
        for index in draft.types.indices {
            guard case .structure(var fields) = draft.types[index].contents else { continue }
            for field in fields.indices {
                guard let value = fields[field].defaultValue?.value, !draft.fits(value, fields[field].type) else {
                    continue
                }
                fields[field].defaultValue = draftValue(of: fields[field].type)
                draft.types[index].contents = .structure(fields)
                maker.types = draft.randomTypes
            }
        }
        for index in draft.keys.indices {
            let key = draft.keys[index]
            if let value = key.defaultValue?.value, draft.fits(value, key.type) { continue }
            if key.defaultValue == nil, key.type.isOptional { continue }
            draft.keys[index].defaultValue = draftValue(of: key.type)
        }
        return draft.keys.indices.filter { draft.type(named: draft.keys[$0].type.leaf.swiftName) != nil }
    }

    /// Edits most of the keys, and many of the types and namespaces.
    mutating func editAll() {
        let all = draft
        for type in all.types where !chance(3) {
            // One fault seldom hides another one.
            for _ in 0...(chance(4) ? 1 : 0) { attempt(type.identity) { $0.editType(type.identity) } }
        }
        for key in all.keys where !chance(6) {
            for _ in 0...(chance(4) ? 1 + below(2) : 0) { attempt(key.identity) { $0.editKey(key.identity) } }
        }
        for space in all.spaces where chance(3) { attempt(space.identity) { $0.editSpace(space.identity) } }
        for _ in 0..<all.keys.count / 12 { attempt(-1) { $0.editNames() } }
    }
}
