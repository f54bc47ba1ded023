import PreferencesSchema
import TestSupport

/// The types that a random schema declares.
struct RandomTypes {
    var enums: [String: [RandomEnumCase]] = [:]
    /// Fields by the structs' names, in the order of the schema.
    var structs: [String: [RandomField]] = [:]
    /// The names of declared types by the order of their declaration.
    var names: [String] = []

    struct RandomEnumCase {
        var name: String
        /// The case's JSON; nil for a case that is only named.
        var json: JSON?
    }

    struct RandomField {
        var name: String
        var type: ValueType
        /// The default; nil if a value is required.
        var defaultValue: DefaultValue?
        var json: JSON
    }

    /// The external types with their fields. They are declared in ``externalSource``, which every module contains.
    static let externals: [(name: String, swiftName: String, fields: [(name: String, type: ValueType)])] = [
        ("Point", "ExternalPoint", [("x", .integer(.int)), ("y", .double)]),
        ("Size", "Externals.Size", [("width", .integer(.int))]),
    ]

    /// The declarations of the external types, whose values cannot be written in a schema.
    static let externalSource = """
        nonisolated public struct ExternalPoint: Codable, Sendable {
            public var x: Int
            public var y: Double

            public init(x: Int, y: Double) {
                self.x = x
                self.y = y
            }
        }

        nonisolated public enum Externals {
            nonisolated public struct Size: Codable, Sendable {
                public var width: Int

                public init(width: Int) {
                    self.width = width
                }
            }
        }

        """

    /// Adds the types of an included file.
    mutating func merge(_ other: RandomTypes) {
        enums.merge(other.enums) { own, _ in own }
        structs.merge(other.structs) { own, _ in own }
        names += other.names
    }

    /// Whether values of a type can be written in JSON. Those of external types cannot.
    func isLiteral(_ type: ValueType) -> Bool { contents(of: type.leaf) { !$0.isExternal } }

    /// Whether values of a type are hashable, according to the schema.
    func isHashable(_ type: ValueType) -> Bool { isLiteral(type) }

    /// Whether a condition holds for a type and, at every depth, for the types of its fields.
    private func contents(of type: ValueType, _ condition: (ValueType) -> Bool) -> Bool {
        var seen: Set<String> = []
        func holds(_ type: ValueType) -> Bool {
            guard condition(type) else { return false }
            guard case .structure(let name) = type, seen.insert(name).inserted else { return true }
            return structs[name, default: []].allSatisfy { holds($0.type.leaf) }
        }
        return holds(type)
    }

    /// The type as the schema spells it.
    func spelling(_ type: ValueType) -> String {
        switch type {
        case .external(let name, _): name
        case .array(let element): "[\(spelling(element))]"
        case .set(let element): "Set<\(spelling(element))>"
        case .dictionary(let value): "[String: \(spelling(value))]"
        case .optional(let wrapped): "\(spelling(wrapped))?"
        default: type.swiftName
        }
    }
}

extension ValueType {
    var isExternal: Bool {
        if case .external = self { true } else { false }
    }
}

// MARK: - Types at random

extension SchemaMaker {
    static let builtIn: [ValueType] =
        [.bool, .float, .double, .string, .data, .date, .url, .uuid, .duration]
        + IntegerType.allCases.map(ValueType.integer)

    /// A type of a key, of a field or of an element.
    mutating func type(depth: Int = 0, isHashable: Bool = false) -> ValueType {
        switch random.below(depth > 2 ? 8 : 14) {
        case 0...5: return pick(Self.builtIn)
        case 6, 7:
            let declared = types.names.map { name in
                types.enums[name] != nil ? ValueType.enumeration(name) : .structure(name)
            }
            return declared.filter { !isHashable || types.isHashable($0) }.randomElement(using: &random) ?? .string
        case 8, 9: return .array(type(depth: depth + 1, isHashable: isHashable))
        case 10: return .set(type(depth: depth + 1, isHashable: true))
        case 11: return .dictionary(type(depth: depth + 1, isHashable: isHashable))
        default:
            let wrapped = type(depth: depth + 1, isHashable: isHashable)
            return wrapped.isOptional ? wrapped : .optional(wrapped)
        }
    }

    /// Declares an enum or a struct, and returns the members of its JSON.
    mutating func declaredType(named name: String) -> [(String, JSON)] {
        defer { types.names.append(name) }
        let type = random.chance(2) ? declaredEnum(named: name) : declaredStruct(named: name)
        return (random.chance(3) ? [("description", .string(prose()))] : []) + [type]
    }

    private mutating func declaredEnum(named name: String) -> (String, JSON) {
        let names = uniqueNames(1...6) { NameRules.isReserved(enumCase: $0) }
        guard random.chance(2) else {
            types.enums[name] = names.map { .init(name: $0) }
            return ("enum", .array(names.map(JSON.string)))
        }
        let isInteger = random.chance(2)
        var rawValues: Set<String> = []
        let cases = names.enumerated().map { index, name -> RandomTypes.RandomEnumCase in
            var rawValue = isInteger ? JSON.raw(integer(.int64).description) : .string(string())
            let isTaken = !rawValues.insert(rawValue.text.decomposed).inserted
            if isTaken { rawValue = isInteger ? .raw("\(index + 1_000_000)") : .string("\(name) \(index)") }
            rawValues.insert(rawValue.text.decomposed)
            guard random.chance(2) else { return .init(name: name, json: rawValue) }
            var members = [("value", rawValue)]
            if random.chance(2) { members.append(("label", .string(prose()))) }
            if random.chance(2) { members.append(("description", .string(prose()))) }
            return .init(name: name, json: .object(members))
        }
        types.enums[name] = cases
        return ("enum", .object(cases.map { ($0.name, $0.json ?? .null) }))
    }

    private mutating func declaredStruct(named name: String) -> (String, JSON) {
        // The type is created before its fields, so that collections in these can contain it.
        let own = ValueType.structure(name)
        let names = uniqueNames(1...7) { NameRules.isReserved(structField: $0) || $0 == name }
        var ids: Set<String> = []
        var fields: [RandomTypes.RandomField] = []
        for fieldName in names {
            var type = random.chance(12) ? .array(own) : type(depth: 1)
            if random.chance(10) { type = externalType() }
            let leaf = String(type.leaf.swiftName.prefix { $0 != "." })
            if names.contains(leaf) || NameRules.isReserved(typeOfField: leaf) { type = .integer(.int) }
            var members: [(String, JSON)] = [("type", .string(spaced(types.spelling(type))))]
            var defaultValue: DefaultValue?
            if type.isOptional { defaultValue = DefaultValue.none }
            if types.isLiteral(type), type.leaf != own, random.chance(2) {
                let value = value(of: type)
                defaultValue = value
                members.append(("default", json(value, as: type)))
            }
            var id = fieldName
            if random.chance(4) { id = uniqueID(beside: ids.union(names)) }
            if !ids.insert(id.decomposed).inserted { id = uniqueID(beside: ids.union(names)) }
            ids.insert(id.decomposed)
            if id != fieldName { members.append(("id", .string(id))) }
            if random.chance(3) { members.append(("description", .string(prose()))) }
            let json = members.count == 1 && random.chance(2) ? members[0].1 : .object(members)
            fields.append(.init(name: fieldName, type: type, defaultValue: defaultValue, json: json))
        }
        types.structs[name] = fields
        return ("struct", .object(fields.map { ($0.name, $0.json) }))
    }

    mutating func externalType() -> ValueType {
        let external = pick(RandomTypes.externals)
        let type = ValueType.external(external.name, swiftName: external.swiftName)
        return [type, .optional(type), .array(type), .optional(.dictionary(type))].randomElement(using: &random) ?? type
    }
}
