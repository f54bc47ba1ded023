import PreferencesSchema

/// The keys and types that the catalogue of a schema describes.
struct CatalogueContents {
    /// The catalogue, with the declared types.
    let catalogue: SchemaCatalogue
    /// The root of the schema, with the declarations in host files.
    let root: Namespace
    /// The beginning of the names of members of the type that contains the descriptions: underscores, if a type of the
    /// schema has the name of such a member, which would hide it.
    let prefix: String
    /// The names of the structs that each struct contains, at any depth.
    private let structsInside: [String: Set<String>]

    /// Returns nil if the schema has no catalogue.
    init?(_ schema: Schema) {
        guard let catalogue = schema.catalogue else { return nil }
        self.catalogue = catalogue
        root = schema.root
        structsInside = Self.structsInside(catalogue.types)
        let namespaces = schema.allNamespaces
        let members = catalogue.types.map { Self.member(ofType: $0.name.text) } + ["all", "catalogue"]
        let types = Set(catalogue.types.map(\.name.text) + Self.externalTypes(in: namespaces, catalogue.types))
        var prefix = ""
        func isHiding(_ type: String) -> Bool {
            members.contains { type == prefix + $0 }
                || ["addKeys", "addAllKeys"].contains { type.hasPrefix(prefix + $0) }
        }
        while types.contains(where: isHiding) { prefix += "_" }
        self.prefix = prefix
    }

    /// Whether values of Foundation's types are created in descriptions of keys in host files.
    var usesFoundation: Bool {
        root.withNested.contains { namespace in
            namespace.keys.contains { $0.type.leaf.isOfFoundation || $0.defaultValue.isOfFoundation }
        }
    }

    /// The names of the members that are generated for the catalogue, as far as they depend on the schema.
    var memberNames: [String] {
        let namespaces = root.withNested
        var names = [catalogue.name] + catalogue.types.map { property(ofType: $0.name.text) }
        names += namespaces.map(function(of:))
        for namespace in namespaces {
            for key in namespace.keys {
                if case .expression = key.defaultValue { names.append(NameRules.defaultProperty(ofKey: key.name.text)) }
            }
        }
        return names
    }

    /// Returns the name of the property with the description of a declared type.
    func property(ofType name: String) -> String { prefix + Self.member(ofType: name) }

    /// Returns the name of the function that adds the descriptions of a namespace's keys.
    func function(of namespace: Namespace) -> String { prefix + Self.member(of: namespace) }

    /// Returns the name of a function that adds a part of them. `addKeys1OfA` is the name of no namespace's
    /// function.
    func function(of namespace: Namespace, part: Int) -> String {
        prefix
            + (namespace.isRoot ? "addAllKeys\(part)" : "addKeys\(part)Of\(namespace.typeName.capitalizedFirst)")
    }

    /// Returns whether a struct contains another, at any depth.
    func isStruct(_ name: String, inside other: String) -> Bool { structsInside[other]?.contains(name) ?? false }

    private static func member(ofType name: String) -> String { "typeOf\(name.capitalizedFirst)" }

    private static func member(of namespace: Namespace) -> String {
        namespace.isRoot ? "addAllKeys" : "addKeysOf\(namespace.typeName.capitalizedFirst)"
    }

    private static func externalTypes(in namespaces: [Namespace], _ types: [DeclaredType]) -> [String] {
        var names: [String] = []
        func note(_ type: ValueType) {
            if case .external(_, let name) = type.leaf { names.append(String(name.prefix { $0 != "." })) }
        }
        for namespace in namespaces {
            for index in namespace.keys.indices { note(namespace.keys[index].type) }
        }
        for case .structure(let type) in types { for field in type.fields { note(field.type) } }
        return names
    }

    private static func structsInside(_ types: [DeclaredType]) -> [String: Set<String>] {
        var fields: [String: Set<String>] = [:]
        for case .structure(let type) in types {
            fields[type.name.text] = Set(
                type.fields.compactMap { field in
                    if case .structure(let name) = field.type.leaf { name } else { nil }
                }
            )
        }
        return fields.mapValues { direct in
            var (reached, pending) = (direct, Array(direct))
            while let name = pending.popLast() {
                for inner in fields[name] ?? [] where reached.insert(inner).inserted { pending.append(inner) }
            }
            return reached
        }
    }
}

// MARK: - Declarations

extension SwiftGenerator {
    /// The name of the private type that contains the descriptions of a file's keys. At file scope, no accessor hides the
    /// types that they name.
    private static let descriptions = "_KeyDescriptions"

    /// Writes the catalogues of the namespaces, of the file and, in the first file of the module that has one, of the
    /// module.
    mutating func write(_ catalogue: CatalogueContents) {
        for namespace in schema.allNamespaces where !namespace.isRoot {
            source.line()
            let type = "Preferences.\(SwiftName.escapedType(namespace.typeName))"
            source.declaration("nonisolated extension \(type)", ["CataloguedPreferences"])
            source.close { source in
                source.documentation(["The descriptions of its keys, and of those in the namespaces inside it."])
                source.catalogueProperty(
                    "\(SwiftName.memberModifier(namespace.access))static let catalogue",
                    of: catalogue.function(of: namespace),
                    catalogue
                )
            }
        }
        source.line()
        let origin = "\(schema.fileName.oneLine).preferences.json"
        let access = SwiftName.memberModifier(catalogue.catalogue.access)
        source.block("nonisolated extension PreferenceCatalogue {") { source in
            source.documentation(["The descriptions of the keys in `\(origin)`."])
            source.catalogueProperty(
                "\(access)static let \(SwiftName.escaped(catalogue.catalogue.name))",
                of: catalogue.function(of: catalogue.root),
                catalogue
            )
        }
        if !catalogue.catalogue.namesInModule.isEmpty { writeModuleCatalogue(catalogue) }
        writeDescriptions(catalogue)
    }

    private mutating func writeModuleCatalogue(_ catalogue: CatalogueContents) {
        source.line()
        source.block("nonisolated extension Preferences {") { source in
            let all = "\(Self.descriptions).\(catalogue.prefix)all"
            source.documentation(["The descriptions of the keys in all schemas of this module that have a catalogue."])
            source.line("static var catalogue: PreferenceCatalogue { \(all) }")
            source.line()
            source.documentation([
                "Reads each of these keys.",
                "- Returns: The problems of all values and stores that could not be used, in the order of the catalogue.",
            ])
            source.line("func validate() -> [PreferenceProblem] { validate(\(all)) }")
            source.line()
            source.documentation([
                "Returns the value of each of these keys, where it comes from, and the values that it shadows."
            ])
            source.line("func explain() -> PreferenceExplanation { explain(\(all)) }")
        }
    }

    /// Writes the private type that contains the descriptions of keys and types.
    private mutating func writeDescriptions(_ catalogue: CatalogueContents) {
        source.line()
        source.documentation(["The descriptions of the keys, outside of types whose accessors could hide others."])
        source.block("nonisolated private enum \(Self.descriptions) {") { source in
            if !catalogue.catalogue.namesInModule.isEmpty {
                source.moduleDescriptions(catalogue)
                source.line()
            }
            source.block(
                "static func \(catalogue.prefix)catalogue(_ add: (inout [PreferenceKeyDescription]) -> Void) "
                    + "-> PreferenceCatalogue {"
            ) { source in
                source.line("var keys: [PreferenceKeyDescription] = []")
                source.line("add(&keys)")
                source.line("return PreferenceCatalogue(keys)")
            }
            for namespace in catalogue.root.withNested {
                source.line()
                source.descriptions(of: namespace, catalogue)
            }
            for type in catalogue.catalogue.types {
                source.line()
                source.description(of: type, catalogue)
            }
        }
    }
}

extension SwiftSource {
    /// Writes the property with the result of a key's default expression, in the scope of the accessor.
    mutating func defaultProperty(of key: Key) {
        guard case .expression(let text) = key.defaultValue else { return }
        line()
        let name = NameRules.defaultProperty(ofKey: key.name.text)
        property("fileprivate var \(name): \(SwiftName.type(key.type))", .atom(text))
    }

    fileprivate mutating func catalogueProperty(
        _ head: String,
        of function: String,
        _ catalogue: CatalogueContents
    ) {
        let type = "_KeyDescriptions"
        let call = SwiftExpression.call(
            "\(type).\(catalogue.prefix)catalogue",
            [.init(.atom("\(type).\(function)"))]
        )
        let prefix = "\(head): PreferenceCatalogue = "
        if fits(prefix + call.flat) { return line(prefix + call.flat) }
        line("\(head): PreferenceCatalogue =")
        indented { $0.append(call.laidOut(at: $0.indentation)) }
    }

    fileprivate mutating func moduleDescriptions(_ catalogue: CatalogueContents) {
        block("static let \(catalogue.prefix)all = \(catalogue.prefix)catalogue { keys in") { source in
            for name in catalogue.catalogue.namesInModule {
                source.line("keys += PreferenceCatalogue.\(SwiftName.escaped(name))")
            }
        }
    }

    /// The largest number of statements in a function that adds descriptions. The compiler's time and memory, and the
    /// stack that the function needs, would grow with the number of keys.
    private static let statementLimit = 200

    /// Writes the function that adds the descriptions of a namespace's keys: one statement for each, so that the
    /// compiler's time is proportional to the number of keys. Functions that add a part of them precede it if there are
    /// many.
    fileprivate mutating func descriptions(of namespace: Namespace, _ catalogue: CatalogueContents) {
        var statements: [(inout SwiftSource) -> Void] = namespace.keys.map { key in
            { source in
                let description = KeyDescription(key: key, namespace: namespace, catalogue: catalogue)
                source.perPlatform(key.defaultValue) { source, value in
                    let call = SwiftExpression.call("keys.append", [.init(description.expression(value))])
                    source.append(call.laidOut(at: source.indentation))
                }
            }
        }
        func call(of function: String) -> (inout SwiftSource) -> Void {
            { $0.line("\(function)(to: &keys)") }
        }
        statements += namespace.namespaces.map { call(of: catalogue.function(of: $0)) }
        var partCount = 0
        while statements.count > Self.statementLimit {
            statements = stride(from: 0, to: statements.count, by: Self.statementLimit).map { start in
                partCount += 1
                let name = catalogue.function(of: namespace, part: partCount)
                additionFunction(name, statements[start..<min(start + Self.statementLimit, statements.count)])
                line()
                return call(of: name)
            }
        }
        additionFunction(catalogue.function(of: namespace), statements[...])
    }

    /// Writes a function that adds descriptions.
    private mutating func additionFunction(_ name: String, _ statements: ArraySlice<(inout SwiftSource) -> Void>) {
        // The optimizer takes more than a minute for 500 keys, and the code runs once.
        line("@_optimize(none)")
        block("static func \(name)(to keys: inout [PreferenceKeyDescription]) {") { source in
            for statement in statements { statement(&source) }
        }
    }
}

// MARK: - Keys

/// The description of a key.
private struct KeyDescription {
    let key: Key
    let namespace: Namespace
    let catalogue: CatalogueContents

    /// Whether the accessor is in a host file, whose private types and functions this file does not see.
    private var isHosted: Bool { namespace.isHosted(key) }

    func expression(_ value: AccessorCall.Default) -> SwiftExpression {
        var arguments: [SwiftExpression.Argument] = [
            .init(.string((namespace.path.map(\.text) + [key.name.text]).joined(separator: "."))),
            .init("storageName", .string(key.storageName)),
            .init("type", catalogue.expression(of: key.type, seesExternalTypes: !isHosted)),
            .init("default", defaultValue(value)),
        ]
        if !key.constraints.isEmpty {
            arguments.append(.init("constraints", .array(constraints(key.constraints, on: key.type))))
        }
        let texts = [
            ("label", key.documentation.label), ("description", key.documentation.description),
            ("unit", key.documentation.unit),
        ]
        for (label, text) in texts {
            if let text { arguments.append(.init(label, .string(text))) }
        }
        if key.access != .internal {
            arguments.append(.init("access", .atom(".\(key.access.rawValue)")))
        }
        if key.isReadOnly { arguments.append(.init("isReadOnly", .atom("true"))) }
        if key.isSecret { arguments.append(.init("isSecret", .atom("true"))) }
        if key.isManaged { arguments.append(.init("isManageable", .atom("true"))) }
        if key.scope != .machine { arguments.append(.init("scope", .atom(".\(key.scope.rawValue)"))) }
        if key.mergeRule != .last { arguments.append(.init("mergeRule", .atom(".\(key.mergeRule.rawValue)"))) }
        if let message = key.deprecation { arguments.append(.init("deprecation", .string(message))) }
        if !key.formerNames.isEmpty {
            arguments.append(.init("formerNames", .array(key.formerNames.map { .string($0) })))
        }
        return .call("PreferenceKeyDescription", arguments)
    }

    private func defaultValue(_ value: AccessorCall.Default) -> SwiftExpression {
        switch value {
        case .expression(let text):
            // The text may contain parts of a secret.
            let text = SwiftExpression.string(key.isSecret ? "•••" : text)
            if isHosted { return .call(".expression", [.init(text), .init("result", .atom("nil"))]) }
            let owner =
                namespace.isRoot
                ? "$0" : "Preferences.\(SwiftName.escapedType(namespace.typeName))(preferences: $0)"
            let property = NameRules.defaultProperty(ofKey: key.name.text)
            return .call(".computed", [.init(text), .init(.atom("{ \(owner).\(property) }"))])
        case .value(let value):
            if case .external = key.type.leaf { return .call(".value", [.init(Self.storedValue(value))]) }
            if value == .none { return .call(".value", [.init(.atom(".null"))]) }
            return .call(".constant", [.init(.typed(value, as: key.type))])
        }
    }

    /// Returns the stored form of nil or a collection of such values, the only constants of external types.
    private static func storedValue(_ value: DefaultValue) -> SwiftExpression {
        switch value {
        case .array(let values): .call(".array", [.init(.array(values.map(storedValue)))])
        case .dictionary(let entries):
            .call(".dictionary", [.init(.dictionary(entries.map { ($0.key, storedValue($0.value)) }))])
        default: .atom(".null")
        }
    }

    private func constraints(_ constraints: [Constraint], on type: ValueType) -> [SwiftExpression] {
        if case .optional(let wrapped) = type { return self.constraints(constraints, on: wrapped) }
        return constraints.map { constraint in
            switch constraint {
            case .range(let minimum, let maximum):
                let bounds = [("from", minimum), ("through", maximum)].compactMap { label, bound in
                    bound.map { SwiftExpression.Argument(label, .typed($0, as: type)) }
                }
                return .call(".range", bounds)
            case .length(let limits): return Self.limits(".length", limits)
            case .count(let limits): return Self.limits(".count", limits)
            case .pattern(let pattern): return .call(".pattern", [.init(.string(pattern))])
            case .choices(let choices):
                let list = SwiftExpression.array(choices.map { SwiftExpression($0, as: type) })
                return .call(".oneOf", [.init(.coerced(list, to: "[\(SwiftName.type(type))]"))])
            case .each(let inner):
                return .call(".each", [.init(.array(self.constraints(inner, on: type.part)))])
            }
        }
    }

    private static func limits(_ function: String, _ limits: Constraint.Limits) -> SwiftExpression {
        func expression(_ limit: Int?) -> SwiftExpression {
            limit.map { SwiftExpression(.integer(Int128($0)), as: .integer(.int)) } ?? .atom("nil")
        }
        return .call(
            function,
            [.init("minimum", expression(limits.minimum)), .init("maximum", expression(limits.maximum))]
        )
    }
}

extension ValueType {
    /// The type of the elements or values of a collection.
    fileprivate var part: ValueType {
        switch self {
        case .array(let part), .set(let part), .dictionary(let part): part
        default: preconditionFailure("only collections have constraints on their elements")
        }
    }
}

// MARK: - Types

extension CatalogueContents {
    /// Returns the description of a type.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - enclosing: The struct with a field of the type; nil for the type of a key.
    ///   - seesExternalTypes: Whether external types are visible, which may be private in a host file.
    func expression(
        of type: ValueType,
        inStruct enclosing: String? = nil,
        seesExternalTypes: Bool = true
    ) -> SwiftExpression {
        func wrapped(_ name: String, _ inner: ValueType) -> SwiftExpression {
            let inner = expression(of: inner, inStruct: enclosing, seesExternalTypes: seesExternalTypes)
            return .call(".\(name)", [.init(inner)])
        }
        switch type {
        case .bool: return .atom(".bool")
        case .integer(let integer): return .call(".integer", [.init(.atom(".\(integer.rawValue.lowercased())"))])
        case .float: return .atom(".float")
        case .double: return .atom(".double")
        case .string: return .atom(".string")
        case .data: return .atom(".data")
        case .date: return .atom(".date")
        case .url: return .atom(".url")
        case .uuid: return .atom(".uuid")
        case .duration: return .atom(".duration")
        case .enumeration(let name): return .atom(property(ofType: name))
        case .structure(let name):
            // A struct that contains itself through collections would be described without end.
            guard let enclosing, name == enclosing || isStruct(enclosing, inside: name) else {
                return .atom(property(ofType: name))
            }
            return .call(".external", [.init(.string(name)), .init(.metatype(name))])
        case .external(_, let name):
            let metatype = SwiftExpression.metatype(name)
            let argument: SwiftExpression.Argument =
                seesExternalTypes ? .init(metatype) : .init("valueType", .atom("nil"))
            return .call(".external", [.init(.string(name)), argument])
        case .array(let element): return wrapped("array", element)
        case .set(let element): return wrapped("set", element)
        case .dictionary(let value): return wrapped("dictionary", value)
        case .optional(let value): return wrapped("optional", value)
        }
    }
}

extension SwiftSource {
    /// Writes the property with the description of a declared type.
    fileprivate mutating func description(of type: DeclaredType, _ catalogue: CatalogueContents) {
        let name = type.name.text
        block("static let \(catalogue.property(ofType: name)): PreferenceType = {", closing: "}()") { source in
            switch type {
            case .enumeration(let type):
                source.list("cases", of: "PreferenceType.Enumeration.Case", type.cases.map(Self.arguments))
                source.result(".enumeration", name, "cases")
            case .structure(let type):
                let fields = type.fields.map { Self.arguments(of: $0, in: name, catalogue) }
                source.list("fields", of: "PreferenceType.Structure.Field", fields)
                source.result(".structure", name, "fields")
            }
        }
    }

    /// Writes a variable with a list, and the local functions that add its elements. The optimizer takes almost a minute
    /// for 200 elements.
    private mutating func list(_ name: String, of type: String, _ elements: [[SwiftExpression.Argument]]) {
        let parts = stride(from: 0, to: elements.count, by: Self.statementLimit)
        for (index, start) in parts.enumerated() {
            line("@_optimize(none)")
            block("func add\(index + 1)(to \(name): inout [\(type)]) {") { source in
                for arguments in elements[start..<min(start + Self.statementLimit, elements.count)] {
                    let call = SwiftExpression.call("\(name).append", [.init(.call(".init", arguments))])
                    source.append(call.laidOut(at: source.indentation))
                }
            }
        }
        line("var \(name): [\(type)] = []")
        for (index, _) in parts.enumerated() { line("add\(index + 1)(to: &\(name))") }
    }

    private mutating func result(_ function: String, _ name: String, _ list: String) {
        let type = SwiftExpression.call(
            ".init",
            [.init(.string(name)), .init(list, .atom(list)), .init("valueType", .metatype(name))]
        )
        append(SwiftExpression.call(function, [.init(type)]).laidOut(prefix: "return ", at: indentation))
    }

    private static func arguments(of enumCase: EnumType.Case) -> [SwiftExpression.Argument] {
        let rawValue: SwiftExpression =
            switch enumCase.rawValue {
            case .string(let text): .call(".string", [.init(.string(text))])
            case .int(let integer): .call(".int", [.init(.init(.integer(Int128(integer)), as: .integer(.int64)))])
            }
        var arguments: [SwiftExpression.Argument] = [
            .init(.string(enumCase.name.text)), .init("rawValue", rawValue),
        ]
        if let label = enumCase.label { arguments.append(.init("label", .string(label))) }
        if let description = enumCase.description { arguments.append(.init("description", .string(description))) }
        return arguments
    }

    private static func arguments(
        of field: StructType.Field,
        in name: String,
        _ catalogue: CatalogueContents
    ) -> [SwiftExpression.Argument] {
        var arguments: [SwiftExpression.Argument] = [
            .init(.string(field.name.text)), .init("id", .string(field.id)),
            .init("type", catalogue.expression(of: field.type, inStruct: name)),
            .init("isRequired", .atom(field.defaultValue == nil ? "true" : "false")),
        ]
        if let description = field.description { arguments.append(.init("description", .string(description))) }
        return arguments
    }
}
