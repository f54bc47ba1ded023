import PreferencesSchema
import TestSupport

// MARK: - Edits of names

extension EditMaker {
    /// Edits a key, and describes the edit.
    mutating func editKey(_ identity: Int) -> String? {
        guard let index = draft.keys.firstIndex(where: { $0.identity == identity }) else { return nil }
        if chance(4), let text = editFormerNames(index) { return text }
        switch below(19) {
        case 0, 1: return rename(index)
        case 2: return move(index)
        case 3: return remove(index)
        case 4: return exchange(index)
        case 5...9: return retype(index)
        case 10...13: return editConstraints(index)
        case 14: return toggleSecret(index)
        case 15: return renameToNameOfAnother(index)
        default: return editDetail(index)
        }
    }

    /// Sometimes adds a former name, or reserves it, and reports whether it did.
    private mutating func note(_ formerName: String, _ index: Int) -> String {
        guard draft.storageName(of: draft.keys[index]) != formerName else { return " under the same storage name" }
        guard !chance(3) else { return " without renamedFrom" }
        if chance(4) {
            draft.reserved.append(.init(space: nil, text: formerName))
            return " with \(formerName) reserved"
        }
        draft.keys[index].formerNames.insert(formerName, at: 0)
        return " with renamedFrom \(formerName)"
    }

    private mutating func rename(_ index: Int) -> String {
        let (key, former) = (draft.keys[index], draft.storageName(of: draft.keys[index]))
        let name = "key\(number())"
        switch below(4) {
        case 0:
            draft.keys[index].name = name
            if key.storageName == nil { draft.keys[index].id = key.id ?? key.name }
            return "renamed to \(name), keeping the id"
        case 1:
            (draft.keys[index].id, draft.keys[index].storageName) = (name, nil)
            return "id \(name)" + note(former, index)
        case 2:
            (draft.keys[index].id, draft.keys[index].storageName) = (nil, name)
            return "storageName \(name)" + note(former, index)
        default:
            draft.keys[index].name = name
            draft.keys[index].id = nil
            return "renamed to \(name)" + note(former, index)
        }
    }

    private mutating func move(_ index: Int) -> String {
        let former = draft.storageName(of: draft.keys[index])
        let space = chance(5) ? nil : pick(draft.spaces)
        draft.keys[index].space = space?.identity
        draft.keys[index].file = below(DraftModule.files.count)
        if chance(4) { (draft.keys[index].id, draft.keys[index].storageName) = (nil, former) }
        return "moved to \(space?.name ?? "no namespace")" + note(former, index)
    }

    private mutating func remove(_ index: Int) -> String {
        let key = draft.keys.remove(at: index)
        let name = draft.storageName(of: key)
        switch below(4) {
        case 0:
            draft.reserved.append(.init(space: nil, text: name))
            return "removed, and its name reserved"
        case 1 where key.space != nil && key.storageName == nil:
            draft.reserved.append(.init(space: key.space, text: key.id ?? key.name))
            return "removed, and its name reserved in the namespace"
        case 2 where !draft.keys.isEmpty:
            let other = below(draft.keys.count)
            draft.keys[other].formerNames.append(name)
            return "removed, and its name made a former one of \(draft.keys[other].name)"
        default: return "removed"
        }
    }

    private mutating func editFormerNames(_ index: Int) -> String? {
        var names = draft.keys[index].formerNames
        guard !names.isEmpty else { return nil }
        defer { draft.keys[index].formerNames = names }
        switch below(3) {
        case 0:
            names.reverse()
            return "renamedFrom reversed"
        case 1:
            names = []
            return "renamedFrom removed"
        default: return "renamedFrom without \(names.remove(at: below(names.count)))"
        }
    }

    private mutating func exchange(_ index: Int) -> String? {
        let other = below(draft.keys.count)
        guard other != index else { return nil }
        let (first, second) = (draft.keys[index], draft.keys[other])
        let names = (draft.storageName(of: first), draft.storageName(of: second))
        let what = "with \(second.name)"
        switch below(3) {
        case 0:
            (draft.keys[index].storageName, draft.keys[other].storageName) = (names.1, names.0)
            (draft.keys[index].id, draft.keys[other].id) = (nil, nil)
            return "storage name exchanged \(what)"
        case 1:
            (draft.keys[index].storageName, draft.keys[other].storageName) = (names.0, names.1)
            (draft.keys[index].id, draft.keys[other].id) = (nil, nil)
            (draft.keys[index].name, draft.keys[other].name) = (second.name, first.name)
            (draft.keys[index].space, draft.keys[other].space) = (second.space, first.space)
            (draft.keys[index].file, draft.keys[other].file) = (second.file, first.file)
            return "accessor exchanged \(what), under the same storage name"
        default:
            (draft.keys[index].name, draft.keys[other].name) = (second.name, first.name)
            (draft.keys[index].id, draft.keys[other].id) = (second.id, first.id)
            (draft.keys[index].storageName, draft.keys[other].storageName) = (second.storageName, first.storageName)
            (draft.keys[index].space, draft.keys[other].space) = (second.space, first.space)
            (draft.keys[index].file, draft.keys[other].file) = (second.file, first.file)
            return "all names exchanged \(what)"
        }
    }

    /// Removes another key, and takes its storage name.
    private mutating func renameToNameOfAnother(_ index: Int) -> String? {
        let other = below(draft.keys.count)
        guard other != index else { return nil }
        let removed = draft.keys[other]
        let (former, name) = (draft.storageName(of: draft.keys[index]), draft.storageName(of: removed))
        (draft.keys[index].id, draft.keys[index].storageName) = (nil, name)
        if chance(3) {
            draft.keys[index].name = removed.name
            draft.keys[index].space = removed.space
            draft.keys[index].file = removed.file
        }
        var text = "stored as \(name), that of \(removed.name), which is "
        if chance(2) {
            draft.keys[other].id = "other \(number())"
            draft.keys[other].storageName = nil
            text += "stored as \(draft.storageName(of: draft.keys[other])),"
        } else {
            draft.keys.remove(at: other)
            text += "removed,"
        }
        if chance(3), let key = draft.keys.firstIndex(where: { draft.storageName(of: $0) == name }) {
            // The name is a former one of the key instead.
            (draft.keys[key].id, draft.keys[key].storageName) = ("key-\(number())", nil)
            draft.keys[key].formerNames = [name]
            text += " and now a former name"
            if chance(2) { draft.reserved.append(.init(space: nil, text: former)) }
            return text
        }
        let now = draft.keys.firstIndex { draft.storageName(of: $0) == name }
        return text + (now.map { note(former, $0) } ?? "")
    }

    /// Adds keys, and removes reserved names.
    mutating func editNames() -> String? {
        switch below(6) {
        case 0, 1:
            addKey()
            return "key added"
        case 2:
            guard !draft.reserved.isEmpty else { return nil }
            draft.reserved.remove(at: below(draft.reserved.count))
            return "reserved name removed"
        case 3:
            guard !draft.reserved.isEmpty else { return nil }
            let removed = draft.reserved.remove(at: below(draft.reserved.count))
            let name = draft.prefix(of: removed.space) + removed.text
            addKey()
            let last = draft.keys.count - 1
            if chance(2) {
                (draft.keys[last].id, draft.keys[last].storageName) = (nil, name)
            } else {
                draft.keys[last].formerNames = [name]
            }
            return "key added that reads the reserved name \(name)"
        default:
            // A new key that takes a name that another key has had.
            let former = draft.keys.indices.filter { !draft.keys[$0].formerNames.isEmpty }
            guard let owner = former.randomElement(using: &maker.random) else { return nil }
            let name = draft.keys[owner].formerNames.removeLast()
            addKey()
            let last = draft.keys.count - 1
            (draft.keys[last].id, draft.keys[last].storageName) = (nil, name)
            draft.keys[last].formerNames = []
            return "key added that is stored as the former name \(name)"
        }
    }

    /// Edits a namespace, and describes the edit.
    mutating func editSpace(_ identity: Int) -> String? {
        guard let index = draft.spaces.firstIndex(where: { $0.identity == identity }) else { return nil }
        let space = draft.spaces[index]
        let inside = draft.keys.indices.filter { draft.keys[$0].space == identity }
        let names = inside.map { draft.storageName(of: draft.keys[$0]) }
        let name = "space\(number())"
        let text: String
        switch below(5) {
        case 0:
            (draft.spaces[index].name, draft.spaces[index].id) = (name, space.id ?? space.name)
            return "namespace renamed to \(name), keeping the id"
        case 1:
            draft.spaces[index].name = name
            text = "namespace renamed to \(name)"
        case 2:
            draft.spaces[index].id = name
            text = "namespace with the id \(name)"
        case 3:
            guard space.parent == nil else { return nil }
            draft.spaces[index].file = 1 - space.file
            return "namespace in the other file"
        default:
            guard !draft.spaces.contains(where: { $0.parent == identity }) else { return nil }
            let parent = pick(draft.spaces.filter { $0.identity != identity && $0.parent == nil })
            draft.spaces[index].parent = parent.identity
            text = "namespace moved into \(parent.name)"
        }
        guard !chance(3) else { return text }
        for (index, name) in zip(inside, names) where draft.storageName(of: draft.keys[index]) != name {
            draft.keys[index].formerNames.insert(name, at: 0)
        }
        return text + " with renamedFrom"
    }
}

// MARK: - Edits of types and values

extension EditMaker {
    private mutating func retype(_ index: Int) -> String? {
        let old = draft.keys[index].type
        let type = changed(old)
        guard type != old else { return nil }
        draft.keys[index].type = type
        if draft.keys[index].isSecret {
            Self.keepSecret(&draft.keys[index])
        } else {
            let needsDefault = !type.isOptional || chance(2)
            // Defaults of some types are written alike.
            let keepsDefault = draft.keys[index].defaultValue.map { draft.fits($0.value, type) } ?? !needsDefault
            let value = draftValue(of: type)
            if !keepsDefault || chance(4) { draft.keys[index].defaultValue = needsDefault ? value : nil }
        }
        return "type \(old.swiftName) changed to \(type.swiftName)"
    }

    /// Returns a type whose stored values might be read as those of another one, and seldom any type.
    mutating func changed(_ type: ValueType) -> ValueType {
        if chance(6) { return maker.type() }
        if chance(4) { return wrapped(type) }
        switch type {
        case .optional(let wrapped): return chance(3) ? optional(changed(wrapped)) : wrapped
        case .array(let element):
            return [.set(element), element, .array(changed(element)), .array(optional(element))][below(4)]
        case .set(let element): return [.array(element), .set(changed(element))][below(2)]
        case .dictionary(let element):
            let structs = draft.types.filter { !$0.fields.isEmpty }
            return chance(3) ? .structure(pick(structs).name) : .dictionary(changed(element))
        default: return changed(scalar: type)
        }
    }

    private func optional(_ type: ValueType) -> ValueType { type.isOptional ? type : .optional(type) }

    private mutating func wrapped(_ type: ValueType) -> ValueType {
        [optional(type), optional(type), .array(type), .set(type), .dictionary(type)][below(5)]
    }

    private mutating func changed(scalar type: ValueType) -> ValueType {
        let enums = draft.types.filter { !$0.cases.isEmpty }.map { ValueType.enumeration($0.name) }
        let structs = draft.types.filter { !$0.fields.isEmpty }.map { ValueType.structure($0.name) }
        let integers = IntegerType.allCases.map(ValueType.integer)
        let numbers = integers + [.float, .double, .duration]
        switch type {
        case .bool: return pick([.string, .integer(.int)])
        case .integer: return pick(numbers + numbers + enums + [.string, .bool])
        case .float, .double, .duration: return pick([.float, .double, .duration] + numbers + [.string, .date])
        case .string: return pick([.url, .uuid, .duration, .data, .date, .integer(.int)] + enums)
        case .url, .uuid: return pick([.string, .string, .url, .uuid])
        case .date: return pick([.string, .double])
        case .data: return pick([.string, .array(.integer(.uint8))])
        case .enumeration: return pick(enums + [.string, .string, .integer(.int), .integer(.int8)])
        case .structure:
            let fields = draft.type(named: type.swiftName)?.fields.map { ValueType.dictionary($0.type) } ?? []
            return pick(structs + fields + [.dictionary(.string)])
        default: return maker.type()
        }
    }

    private mutating func editConstraints(_ index: Int) -> String {
        let key = draft.keys[index]
        let constraints = key.constraints.isEmpty || chance(3) ? constraints(on: key) : changed(key.constraints)
        draft.keys[index].constraints = constraints
        return "constraints \(JSON.object(key.constraints).text) changed to \(JSON.object(constraints).text)"
    }

    private mutating func changed(_ constraints: [(String, JSON)]) -> [(String, JSON)] {
        var constraints = constraints
        let index = below(constraints.count)
        switch constraints[index].1 {
        case .object(let members) where !members.isEmpty && !chance(4): constraints[index].1 = .object(changed(members))
        case .raw(let text):
            if let number = Int128(text) {
                let step: Int128 = pick([1, -1, 10, -10, number / 2])
                constraints[index].1 = .raw("\(number + step)")
            } else if let number = Double(text) {
                constraints[index].1 = .raw("\(number + pick([0.5, -0.5, 1, number / 2]))")
            }
        case .array(var choices) where choices.count > 1:
            choices.remove(at: below(choices.count))
            constraints[index].1 = .array(choices)
        default: constraints.remove(at: index)
        }
        return constraints
    }

    private mutating func toggleSecret(_ index: Int) -> String {
        let former = draft.storageName(of: draft.keys[index])
        let isSecret = draft.keys[index].isSecret
        if isSecret { draft.keys[index].isSecret = false } else { Self.keepSecret(&draft.keys[index]) }
        let text = isSecret ? "not secret any more" : "secret"
        guard chance(2) else { return text }
        let id = "key-\(number())"
        (draft.keys[index].id, draft.keys[index].storageName) = (id, nil)
        return "\(text), and id \(id)" + note(former, index)
    }

    /// Edits what has no effect on values in one store.
    private mutating func editDetail(_ index: Int) -> String {
        switch below(5) {
        case 0:
            draft.keys[index].isReadOnly.toggle()
            return "readOnly toggled"
        case 1:
            switch draft.keys[index].others.first?.0 {
            case "scope":
                draft.keys[index].others = []
                return "not shared any more"
            case "managed":
                draft.keys[index].others = draft.keys[index].isSecret ? [] : [("scope", .string("fleet"))]
                return "shared, and not managed any more"
            default:
                draft.keys[index].others = [("managed", .raw("true"))]
                return "managed"
            }
        case 2:
            draft.keys[index].others = [("deprecated", .string("Use another.")), ("description", .string("A key."))]
            return "deprecated"
        default:
            guard !draft.keys[index].isSecret else { return "nothing" }
            draft.keys[index].defaultValue = draftValue(of: draft.keys[index].type)
            return "another default"
        }
    }

    /// Edits a declared type, and describes the edit.
    mutating func editType(_ identity: Int) -> String? {
        guard let index = draft.types.firstIndex(where: { $0.identity == identity }) else { return nil }
        switch draft.types[index].contents {
        case .enumeration(var cases):
            let text = edit(&cases)
            draft.types[index].contents = .enumeration(cases)
            return text
        case .structure(var fields):
            let text = edit(&fields, of: draft.types[index].name)
            draft.types[index].contents = .structure(fields)
            return text
        }
    }

    private mutating func edit(_ cases: inout [DraftType.Case]) -> String? {
        let isInteger = if case .int = cases[0].rawValue { true } else { false }
        let index = below(cases.count)
        let (enumCase, name) = (cases[index], cases[index].name)
        let other = enumCaseWithout(name, isInteger)
        switch below(11) {
        case 9, 10:
            let next = (index + 1) % cases.count
            guard next != index else { return nil }
            let taker = cases[next].name
            cases[next].rawValue = enumCase.rawValue
            cases.remove(at: index)
            return "case \(name) removed, and its raw value given to \(taker)"
        case 0:
            cases.insert(other, at: below(cases.count))
            return "case \(other.name) added"
        case 1, 2:
            guard cases.count > 1 else { return nil }
            cases.remove(at: index)
            return "case \(name) removed"
        case 3:
            cases[index].name = other.name
            return "case \(name) renamed to \(other.name), keeping the raw value"
        case 4:
            cases[index].rawValue = other.rawValue
            return "raw value of case \(name) changed"
        case 5:
            cases[index].name = other.name
            cases[index].rawValue = other.rawValue
            return "case \(name) renamed to \(other.name) with its raw value"
        case 6:
            let next = (index + 1) % cases.count
            guard next != index else { return nil }
            (cases[index].rawValue, cases[next].rawValue) = (cases[next].rawValue, enumCase.rawValue)
            return "raw values of \(name) and \(cases[next].name) exchanged"
        case 7:
            cases.reverse()
            return "cases reversed"
        default:
            for index in cases.indices {
                cases[index].rawValue = enumCaseWithout(cases[index].name, !isInteger).rawValue
            }
            return "raw values of another type"
        }
    }

    private mutating func enumCaseWithout(_ name: String, _ isInteger: Bool) -> DraftType.Case {
        enumCase(isInteger: isInteger, hasOwnName: chance(2))
    }

    private mutating func edit(_ fields: inout [DraftType.Field], of type: String) -> String? {
        let index = below(fields.count)
        let (field, name) = (fields[index], fields[index].name)
        /// Whether values of a type would contain themselves, so that there are none. Arrays can be empty.
        func contains(_ type: ValueType, _ name: String) -> Bool {
            type != .array(.structure(name)) && draft.declaredTypes(in: type).contains { $0.name == name }
        }
        switch below(14) {
        case 12, 13:
            let next = (index + 1) % fields.count
            guard next != index else { return nil }
            let taker = fields[next].name
            fields[next].id = field.storedName
            fields.remove(at: index)
            return "field \(name) removed, and its id given to \(taker)"
        case 0, 1, 11:
            let added = fieldType(in: type)
            guard !contains(added, type) else { return nil }
            fields.append(self.field(of: added, in: type))
            return "field of type \(added.swiftName) added"
        case 2:
            guard fields.count > 1 else { return nil }
            fields.remove(at: index)
            return "field \(name) removed"
        case 3:
            fields[index].name = "field\(number())"
            fields[index].id = field.storedName
            return "field \(name) renamed to \(fields[index].name), keeping the id"
        case 4:
            fields[index].name = "field\(number())"
            return "field \(name) renamed to \(fields[index].name)"
        case 5:
            fields[index].id = "f \(number())"
            return "field \(name) with the id \(fields[index].storedName)"
        case 6:
            let next = (index + 1) % fields.count
            guard next != index else { return nil }
            (fields[index].id, fields[next].id) = (fields[next].storedName, field.storedName)
            return "ids of \(name) and \(fields[next].name) exchanged"
        case 7:
            fields.reverse()
            return "fields reversed"
        case 8:
            let had = field.defaultValue != nil
            guard had || field.type.leaf != .structure(type) else { return nil }
            fields[index].defaultValue = had && chance(2) ? nil : draftValue(of: field.type)
            return "another default of field \(name)"
        default:
            let changed = changed(field.type)
            guard !draft.declaredTypes(in: changed).contains(where: { $0.name == type }) else { return nil }
            fields[index].type = changed
            if field.defaultValue != nil { fields[index].defaultValue = draftValue(of: fields[index].type) }
            return "type of field \(name) changed from \(field.type.swiftName) to \(fields[index].type.swiftName)"
        }
    }
}
