/// A type that a schema declares: what is known of it while reading.
struct TypeDeclaration {
    var name: Name
    var kind: Kind
    var description: String?
    /// Whether another schema generates it, which includes the same file: what is wrong with it is reported there.
    var isGeneratedElsewhere: Bool
    /// Whether the schema's own file has it, which surely wants to use it.
    var isIncluded: Bool
    var contents = Contents.faulty
    /// Of an enum, the names of its cases.
    var caseNames: Set<String> = []
    /// The names of an enum's cases by their raw values.
    var casesByRawValue: [String: String] = [:]
    /// The positions of a struct's fields in its contents.
    var fieldIndices = FieldIndices()
    /// The names of a struct's fields that are missing from its contents, because their types are faulty.
    var faultyFields: Set<String> = []

    /// The kinds, by the field of which each is made.
    enum Kind: String, CaseIterable {
        case `enum`
        case `struct`
        case external
    }

    enum Contents {
        /// What is wrong is reported, and where the type is used nothing more is said.
        case faulty
        case cases([EnumType.Case])
        case fields([Field])
        /// What Swift calls the type.
        case external(Name)
    }

    /// The positions of fields by their names and ids. Searching the fields for each value would take quadratic time.
    struct FieldIndices {
        var byName: [String: Int] = [:]
        var byID: [String: Int] = [:]
        /// Those that a value must have, in order.
        var required: [Int] = []

        init(_ fields: [Field] = []) {
            for (index, field) in fields.enumerated() {
                byName[field.name.text] = byName[field.name.text] ?? index
                byID[field.id] = byID[field.id] ?? index
                if field.isRequired { required.append(index) }
            }
        }
    }

    struct Field {
        var name: Name
        var id: String
        var description: String?
        var type: ValueType
        /// Where the type is spelt.
        var typeRange: Range<Int>
        /// The default, which is read when all structs are known.
        var defaultNode: JSONNode?
        var defaultValue: DefaultValue?

        /// Whether a value must have the field.
        var isRequired: Bool { defaultNode == nil && !type.isOptional }
    }

    /// What the name stands for in the type of a key.
    var type: ValueType {
        switch (kind, contents) {
        case (.enum, _): .enumeration(name.text)
        case (.struct, _): .structure(name.text)
        case (.external, .external(let swiftName)): .external(name.text, swiftName: swiftName.text)
        case (.external, _): .external(name.text, swiftName: name.text)
        }
    }

    /// Whether the name is another type's already, which is reported.
    var hasReservedName: Bool {
        (kind == .external ? ReservedNames.schemaTypes : ReservedNames.types).contains(name.text)
    }

    var isFaulty: Bool {
        if case .faulty = contents { true } else { false }
    }
}

extension SchemaReader {
    /// Reads the `types` of the files of a schema.
    ///
    /// - Parameters:
    ///   - own: The files whose types it generates.
    ///   - others: Included files whose types another schema generates.
    mutating func readTypes(of own: [Int], others: [Int]) {
        var nodes: [String: JSONNode] = [:]
        for file in others + own {
            inFile(file) { reader in
                reader.quietly(if: others.contains(file)) { reader in
                    reader.declareTypes(isGeneratedElsewhere: others.contains(file), &nodes)
                }
            }
        }
        let inOrder = declarationsInOrder
        // Fields may be of types that are declared further down, and their defaults may be of structs that are. What Swift
        // calls an external type has to be known before it is a field's.
        for declaration in inOrder.filter({ $0.kind == .external }) + inOrder.filter({ $0.kind != .external }) {
            read(declaration) { reader, type in
                guard let node = nodes[type.name.text] else { return }
                reader.readContents(of: &type, node)
                // Which of the two is meant is not known, nor what its values are.
                if ReservedNames.schemaTypes.contains(type.name.text) { type.contents = .faulty }
            }
        }
        checkRecursion(of: inOrder)
        findUnhashableStructs()
        for declaration in inOrder { read(declaration) { $0.readFieldDefaults(of: &$1) } }
    }

    private var declarationsInOrder: [TypeDeclaration] {
        declarations.values.sorted { first, second in
            let (first, second) = (first.name.place, second.name.place)
            return (first.source, first.range.lowerBound) < (second.source, second.range.lowerBound)
        }
    }

    /// Runs one step of reading a declaration, where it stands.
    private mutating func read(
        _ declaration: TypeDeclaration,
        _ step: (inout SchemaReader, inout TypeDeclaration) -> Void
    ) {
        let name = declaration.name.text
        guard var current = declarations[name] else { return }
        inFile(current.name.place.source) { reader in
            reader.quietly(if: current.isGeneratedElsewhere) { step(&$0, &current) }
        }
        declarations[name] = current
    }

    /// Reads what another schema has read before, for its errors only: those that it has too are the same findings,
    /// and are reported once, but something may be missing here that is there.
    private mutating func quietly(if isQuiet: Bool, _ body: (inout SchemaReader) -> Void) {
        guard isQuiet else { return body(&self) }
        let (count, claims, ignores) = (findings.count, claims, ignores)
        body(&self)
        let found = findings.dropFirst(count).filter { $0.rule.severity == .error }
        findings.removeSubrange(count...)
        for var finding in found {
            finding.notes.append(.init(message: "this is so where '\(files[schema].path)' includes the file"))
            findings.append(finding)
        }
        (self.claims, self.ignores) = (claims, ignores)
    }

    /// Notes the names of the current file's types, and the fields that say what they are.
    private mutating func declareTypes(isGeneratedElsewhere: Bool, _ nodes: inout [String: JSONNode]) {
        guard let node = files[source].fields?["types"], let members = members(of: node, what: "'types'") else {
            return
        }
        for member in members {
            let name = Name(text: member.name, place: place(member.nameRange))
            guard let fields = fields(of: member.value, .type) else {
                // Neither unknown nor of any use.
                declarations[name.text] = declarations[name.text] ?? faulty(name)
                continue
            }
            readLint(fields, name: member.nameRange)
            if !Identifier.isValid(name.text) {
                report(
                    .invalidName,
                    at: member.nameRange,
                    "'\(name.text)' cannot be the name of a type: it is not a Swift identifier"
                )
            }
            let description = prose(fields["description"], what: "'description'")
            let kinds = kinds(of: fields)
            if kinds.first != .external {
                claims.claimType(name.text, maker: "type '\(name.text)'", at: name.place)
            } else if ReservedNames.schemaTypes.contains(name.text) {
                report(
                    .reservedTypeName,
                    at: member.nameRange,
                    "'\(name.text)' is a type of schemas already",
                    note: "choose another name; the one that Swift has for the type can stay"
                )
            }
            if let first = declarations[name.text] {
                if kinds.first == .external || first.kind == .external { reportSecond(name, first.name.place) }
                continue
            }
            declarations[name.text] = faulty(name)
            guard let kind = kinds.first else {
                reportMissingKind(of: name, fields)
                continue
            }
            for other in kinds.dropFirst() {
                guard let second = fields.member(other.rawValue), let first = fields.member(kind.rawValue) else {
                    continue
                }
                report(
                    .typeKind,
                    at: second.nameRange,
                    "type '\(name.text)' has both '\(kind.rawValue)' and '\(other.rawValue)'",
                    other: place(first.nameRange),
                    "'\(kind.rawValue)' is here"
                )
            }
            declarations[name.text]?.kind = kind
            declarations[name.text]?.description = description
            declarations[name.text]?.isGeneratedElsewhere = isGeneratedElsewhere
            nodes[name.text] = fields[kind.rawValue]
        }
    }

    private func faulty(_ name: Name) -> TypeDeclaration {
        TypeDeclaration(
            name: name,
            kind: .enum,
            isGeneratedElsewhere: false,
            isIncluded: name.place.source != schema
        )
    }

    private mutating func reportMissingKind(of name: Name, _ fields: Fields) {
        let kinds = TypeDeclaration.Kind.allCases.map(\.rawValue)
        guard kinds.allSatisfy(fields.isMissing) else { return }
        report(
            .missingField,
            at: name.place.range,
            "type '\(name.text)' has no 'enum', 'struct' or 'external'",
            note: #"say what it is, as in "enum": ["low", "high"]"#
        )
    }

    /// The fields that say what a type is, in the order of the text.
    private func kinds(of fields: Fields) -> [TypeDeclaration.Kind] {
        TypeDeclaration.Kind.allCases
            .compactMap { kind in fields.member(kind.rawValue).map { (kind, $0.nameRange.lowerBound) } }
            .sorted { $0.1 < $1.1 }
            .map(\.0)
    }

    /// Types that are declared elsewhere take no name of the module, so that nobody else notices.
    private mutating func reportSecond(_ name: Name, _ first: Place) {
        report(
            .typeNameClash,
            at: name.place.range,
            "type '\(name.text)' is declared twice",
            other: first,
            "type '\(name.text)' is here"
        )
    }

    private mutating func readContents(of type: inout TypeDeclaration, _ node: JSONNode) {
        switch type.kind {
        case .enum:
            guard let cases = readCases(node, of: type.name) else { return }
            type.contents = .cases(cases)
            type.caseNames = Set(cases.map(\.name.text))
            for case (let name, .string(let text)) in cases.lazy.map({ ($0.name.text, $0.rawValue) }) {
                type.casesByRawValue[text] = type.casesByRawValue[text] ?? name
            }
        case .struct:
            guard let fields = readStructFields(node, of: type.name, faulty: &type.faultyFields) else { return }
            type.contents = .fields(fields)
            type.fieldIndices = TypeDeclaration.FieldIndices(fields)
        case .external:
            guard let name = string(node, what: "'external'") else { return }
            let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            guard parts.allSatisfy(Identifier.isValid) else {
                report(
                    .invalidName,
                    at: node.range,
                    "'\(name)' cannot be the name of a type in Swift",
                    note: "write it as in Swift, with its module before it: 'Module.Type'"
                )
                return
            }
            type.contents = .external(Name(text: name, place: place(node.range)))
        }
    }
}

// MARK: - The types as they are generated

extension SchemaReader {
    /// Notes that an accessor uses a type, and how visibly.
    mutating func use(_ type: ValueType, access: AccessLevel) {
        var waiting = [type]
        while let type = waiting.popLast() {
            guard let declaration = declaration(of: type.leaf) else { continue }
            let place = declaration.name.place
            if let former = uses[place], former >= access { continue }
            uses[place] = access
            if case .fields(let fields) = declaration.contents { waiting += fields.map(\.type) }
        }
    }

    /// The declaration of a type that is none of Swift's.
    func declaration(of type: ValueType) -> TypeDeclaration? {
        switch type {
        case .enumeration(let name), .structure(let name), .external(let name, _): declarations[name]
        default: nil
        }
    }

    /// The types that the current schema generates, in the order of the files; those that nothing uses are reported.
    ///
    /// - Parameter access: The schema's own, which they have at least.
    mutating func finishTypes(access: AccessLevel) -> [TypeDeclaration] {
        let inOrder = declarationsInOrder
        let usedByStructs = Set(
            inOrder.flatMap { declaration -> [Place] in
                guard case .fields(let fields) = declaration.contents else { return [] }
                return fields.compactMap { self.declaration(of: $0.type.leaf)?.name.place }
            }
        )
        for type in inOrder where uses[type.name.place] == nil && !type.isIncluded && !type.isFaulty && !isIncomplete {
            guard !usedByStructs.contains(type.name.place), Identifier.isValid(type.name.text), !type.hasReservedName
            else { continue }
            report(.unusedType, at: type.name.place.range, "no key uses type '\(type.name.text)'")
        }
        let own = inOrder.filter { !$0.isGeneratedElsewhere && !$0.isFaulty }
        for type in own {
            // Types that another schema generates may be less visible by themselves.
            guard case .fields(let fields) = type.contents else { continue }
            for field in fields { use(field.type, access: access) }
        }
        return own
    }
}
