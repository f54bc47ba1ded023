/// A type that a schema declares, while it is being read.
struct TypeDeclaration {
    var name: Name
    var kind: Kind
    var description: String?
    /// Whether another schema that includes the same file generates the type, and reports its faults.
    var isGeneratedElsewhere: Bool
    /// Whether the type is from an included file, which need not use it.
    var isIncluded: Bool
    var contents = Contents.faulty
    /// The names of an enum's cases.
    var caseNames: Set<String> = []
    /// The names of an enum's cases by their raw values.
    var casesByRawValue: [String: String] = [:]
    /// The indices of a struct's fields in its contents.
    var fieldIndices = FieldIndices()
    /// The names of a struct's fields that are missing from its contents because they are faulty.
    var faultyFields: Set<String> = []

    /// The kinds of types, by the field that declares each.
    enum Kind: String, CaseIterable {
        case `enum`
        case `struct`
        case external
    }

    enum Contents {
        /// The type is faulty, which is reported. Uses of it are not reported.
        case faulty
        case cases([EnumType.Case])
        case fields([Field])
        /// The name of the type in Swift.
        case external(Name)
    }

    /// The indices of fields by their names and ids, since searching the fields for each value would take quadratic
    /// time.
    struct FieldIndices {
        var byName: [String: Int] = [:]
        var byID: [String: Int] = [:]
        /// The required fields, in order.
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
        /// The range of the type's spelling.
        var typeRange: Range<Int>
        /// The default, which is read after the types of all structs.
        var defaultNode: JSONNode?
        var defaultValue: DefaultValue?

        /// Whether a value must have the field.
        var isRequired: Bool { defaultNode == nil && !type.isOptional }
    }

    /// The type that the name denotes in the type of a key.
    var type: ValueType {
        switch (kind, contents) {
        case (.enum, _): .enumeration(name.text)
        case (.struct, _): .structure(name.text)
        case (.external, .external(let swiftName)): .external(name.text, swiftName: swiftName.text)
        case (.external, _): .external(name.text, swiftName: name.text)
        }
    }

    /// Whether the name is reserved, which is reported.
    var hasReservedName: Bool {
        (kind == .external ? ReservedNames.schemaTypes : ReservedNames.types).contains(name.text)
    }

    var isFaulty: Bool {
        if case .faulty = contents { true } else { false }
    }
}

extension SchemaReader {
    /// Reads the `types` of a schema's files.
    ///
    /// - Parameters:
    ///   - own: The files whose types the schema generates.
    ///   - others: The included files whose types another schema generates.
    mutating func readTypes(of own: [Int], others: [Int]) {
        var nodes: [String: JSONNode] = [:]
        for file in others + own {
            inFile(file) { reader in
                reader.reportErrorsOnly(if: others.contains(file)) { reader in
                    reader.declareTypes(isGeneratedElsewhere: others.contains(file), &nodes)
                }
            }
        }
        let sorted = sortedDeclarations
        // Fields may have types that are declared later, and their defaults may be values of those. The Swift names
        // of external types must be known before they are used in fields.
        for declaration in sorted.filter({ $0.kind == .external }) + sorted.filter({ $0.kind != .external }) {
            read(declaration) { reader, type in
                guard let node = nodes[type.name.text] else { return }
                reader.readContents(of: &type, node)
                // The name is ambiguous, and so are its values.
                if ReservedNames.schemaTypes.contains(type.name.text) { type.contents = .faulty }
            }
        }
        checkRecursion(of: sorted)
        findNonHashableStructs()
        for declaration in sorted { read(declaration) { $0.readFieldDefaults(of: &$1) } }
    }

    private var sortedDeclarations: [TypeDeclaration] {
        declarations.values.sorted { first, second in
            let (first, second) = (first.name.place, second.name.place)
            return (first.source, first.range.lowerBound) < (second.source, second.range.lowerBound)
        }
    }

    /// Runs a step of reading a declaration in its own file.
    private mutating func read(
        _ declaration: TypeDeclaration,
        _ step: (inout SchemaReader, inout TypeDeclaration) -> Void
    ) {
        let name = declaration.name.text
        guard var current = declarations[name] else { return }
        inFile(current.name.place.source) { reader in
            reader.reportErrorsOnly(if: current.isGeneratedElsewhere) { step(&$0, &current) }
        }
        declarations[name] = current
    }

    /// Reads declarations that another schema generates, keeping only errors. Errors that the other schema has too
    /// are identical, and reported once; but a declaration may be missing here that exists there.
    private mutating func reportErrorsOnly(if isLimited: Bool, _ body: (inout SchemaReader) -> Void) {
        guard isLimited else { return body(&self) }
        let (count, symbols, ignores) = (findings.count, symbols, ignores)
        body(&self)
        let found = findings.dropFirst(count).filter { $0.rule.severity == .error }
        findings.removeSubrange(count...)
        for var finding in found {
            finding.notes.append(.init(message: "found where '\(files[schema].path)' includes the file"))
            findings.append(finding)
        }
        (self.symbols, self.ignores) = (symbols, ignores)
    }

    /// Declares the types of the current file, and collects the nodes that define them.
    private mutating func declareTypes(isGeneratedElsewhere: Bool, _ nodes: inout [String: JSONNode]) {
        guard let node = files[source].fields?["types"], let members = members(of: node, what: "'types'") else {
            return
        }
        for member in members {
            let name = Name(text: member.name, place: place(member.nameRange))
            guard let fields = fields(of: member.value, .type) else {
                // The name is declared, so uses of it are not reported as unknown.
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
            let description = documentationText(fields["description"], what: "'description'")
            let kinds = kinds(of: fields)
            if kinds.first != .external {
                symbols.declareType(name)
            } else if ReservedNames.schemaTypes.contains(name.text) {
                report(
                    .reservedTypeName,
                    at: member.nameRange,
                    "'\(name.text)' is already a built-in type of schemas",
                    note: "choose another name; 'external' can keep the Swift name"
                )
            }
            if let first = declarations[name.text] {
                if kinds.first == .external || first.kind == .external { reportDuplicate(name, first.name.place) }
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
            note: #"add one of them, such as "enum": ["low", "high"]"#
        )
    }

    /// Returns the fields that define a type's kind, in source order.
    private func kinds(of fields: Fields) -> [TypeDeclaration.Kind] {
        TypeDeclaration.Kind.allCases
            .compactMap { kind in fields.member(kind.rawValue).map { (kind, $0.nameRange.lowerBound) } }
            .sorted { $0.1 < $1.1 }
            .map(\.0)
    }

    /// Reports a second declaration of a type. The symbol table reports it only for types that take a name in the
    /// module, which external ones do not.
    private mutating func reportDuplicate(_ name: Name, _ first: Place) {
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
            guard let text = string(node, what: "'external'") else { return }
            let name = Name(text: text, place: place(node.range))
            if checkQualifiedTypeName(name) { type.contents = .external(name) }
        }
    }

    /// Returns whether a text is the name of a Swift type, which may be in a module or in another type. Reports it if it
    /// is not.
    mutating func checkQualifiedTypeName(_ name: Name) -> Bool {
        let parts = name.text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        if parts.allSatisfy(Identifier.isValid) { return true }
        report(
            .invalidName,
            at: name.place.range,
            "'\(name.text)' is not a valid Swift type name",
            note: "write it as in Swift, preceded by its module: 'Module.Type'"
        )
        return false
    }
}

// MARK: - Uses of types

extension SchemaReader {
    /// Records that an accessor with the given access level uses a type.
    mutating func recordUse(of type: ValueType, access: AccessLevel) {
        var pending = [(type: type, access: access)]
        while let (type, access) = pending.popLast() {
            guard let declaration = declaration(of: type.leaf) else { continue }
            let place = declaration.name.place
            // A type in the generated file of another schema must be visible in that of this one.
            let access = declaration.isGeneratedElsewhere ? max(access, .internal) : access
            if let previous = uses[place], previous >= access { continue }
            uses[place] = access
            if case .fields(let fields) = declaration.contents { pending += fields.map { ($0.type, access) } }
        }
    }

    /// Returns the declaration of an enum, a struct or an external type, or nil for a built-in type.
    func declaration(of type: ValueType) -> TypeDeclaration? {
        switch type {
        case .enumeration(let name), .structure(let name), .external(let name, _): declarations[name]
        default: nil
        }
    }

    /// Returns the types that the current schema generates, in the order of the files. Reports unused types.
    ///
    /// - Parameter access: The schema's access level, the minimum for its types.
    mutating func finishTypes(access: AccessLevel) -> [TypeDeclaration] {
        let sorted = sortedDeclarations
        let usedByStructs = Set(
            sorted.flatMap { declaration -> [Place] in
                guard case .fields(let fields) = declaration.contents else { return [] }
                return fields.compactMap { self.declaration(of: $0.type.leaf)?.name.place }
            }
        )
        for type in sorted where uses[type.name.place] == nil && !type.isIncluded && !type.isFaulty && !isIncomplete {
            guard !usedByStructs.contains(type.name.place), Identifier.isValid(type.name.text), !type.hasReservedName
            else { continue }
            report(.unusedType, at: type.name.place.range, "no key uses type '\(type.name.text)'")
        }
        let own = sorted.filter { !$0.isGeneratedElsewhere && !$0.isFaulty }
        for type in own {
            // Types that another schema generates may be less visible on their own.
            guard case .fields(let fields) = type.contents else { continue }
            for field in fields { recordUse(of: field.type, access: access) }
        }
        return own
    }
}
