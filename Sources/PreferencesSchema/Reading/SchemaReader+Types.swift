import PreferencesJSON

// MARK: - Declared types

extension SchemaReader {
    mutating func readTypes(_ node: JSONNode) {
        guard let members = members(of: node, what: "'types'") else { return }
        for member in members { declaredTypes.insert(member.name) }
        for member in members { readDeclaredType(member) }
    }

    private mutating func readDeclaredType(_ member: JSONMember) {
        let name = Name(text: member.name, place: place(member.nameRange))
        guard let fields = fields(of: member.value, .type) else { return }
        if !Identifier.isValid(name.text) {
            report(
                .invalidName,
                at: member.nameRange,
                "'\(name.text)' cannot be the name of a type: it is not a Swift identifier"
            )
        }
        claims.claimType(name.text, maker: "type '\(name.text)'", at: name.place)
        let description = string(fields["description"], what: "'description'")
        guard let node = fields["enum"] else {
            if fields.isMissing("enum") {
                report(.missingField, at: member.nameRange, "type '\(name.text)' has no 'enum'")
            }
            return
        }
        guard let cases = readCases(node) else { return }
        guard let first = cases.first else {
            report(.emptyEnum, at: node.range, "type '\(name.text)' has no cases")
            return
        }
        let rawType: EnumType.RawType = if case .int = first.rawValue { .int } else { .string }
        enums[name.text] = EnumType(
            name: name,
            description: description,
            cases: cases,
            access: .internal,
            rawType: rawType
        )
    }

    /// The cases: a list of names, which are their own raw values, or an object of names and raw values.
    private mutating func readCases(_ node: JSONNode) -> [EnumType.Case]? {
        switch node.content {
        case .array(let elements):
            var cases: [EnumType.Case] = []
            var places: [String: Range<Int>] = [:]
            for element in elements {
                guard let text = string(element, what: "an enum case") else { continue }
                checkCaseName(text, at: element.range)
                if let first = places[text] {
                    reportDuplicateCase("case '\(text)' is listed twice", at: element.range, first: first)
                    continue
                }
                places[text] = element.range
                cases.append(.init(name: Name(text: text, place: place(element.range)), rawValue: .string(text)))
            }
            return cases.isEmpty && !elements.isEmpty ? nil : cases
        case .object(let members):
            var cases: [EnumType.Case] = []
            var places: [EnumType.RawValue: Range<Int>] = [:]
            var like: EnumType.RawValue?
            for member in members {
                checkCaseName(member.name, at: member.nameRange)
                let rawValue = readRawValue(member.value, like: like)
                like = like ?? rawValue
                if let rawValue, let first = places[rawValue] {
                    reportDuplicateCase(
                        "the raw value of case '\(member.name)' is another's already",
                        at: member.value.range,
                        first: first
                    )
                } else if let rawValue {
                    places[rawValue] = member.value.range
                }
                // A case whose raw value is faulty is one nevertheless, where a default names it.
                let name = Name(text: member.name, place: place(member.nameRange))
                cases.append(.init(name: name, rawValue: rawValue ?? .string(member.name)))
            }
            return cases
        default:
            report(
                .wrongJSONType,
                at: node.range,
                "'enum' must be an array of names or an object of names and raw values, not \(node.typeDescription)"
            )
            return nil
        }
    }

    private mutating func readRawValue(_ node: JSONNode, like first: EnumType.RawValue?) -> EnumType.RawValue? {
        let rawValue: EnumType.RawValue
        switch node.content {
        case .string(let text):
            rawValue = .string(text)
        case .number(let number):
            guard let integer = number.exactly(Int64.self) else {
                report(.wrongJSONType, at: node.range, "a raw value must be a string or an 'Int', not \(number.text)")
                return nil
            }
            rawValue = .int(integer)
        default:
            report(
                .wrongJSONType,
                at: node.range,
                "a raw value must be a string or an integer, not \(node.typeDescription)"
            )
            return nil
        }
        switch (first, rawValue) {
        case (.string, .int), (.int, .string):
            report(.mixedRawValues, at: node.range, "the raw values of one enum must be all strings or all integers")
            return nil
        default:
            return rawValue
        }
    }

    private mutating func checkCaseName(_ name: String, at range: Range<Int>) {
        if !Identifier.isValid(name) {
            report(
                .invalidName,
                at: range,
                "'\(name)' cannot be the name of an enum case: it is not a Swift identifier",
                note: #"to store it as it is, name the case: "enum": {"caseName": \#(JSONText.quoted(name))}"#
            )
        } else if ReservedNames.enumCases.contains(name) {
            report(
                .reservedName,
                at: range,
                "an enum case cannot be named '\(name)': every enum has a member of that name already"
            )
        }
    }

    private mutating func reportDuplicateCase(_ message: String, at range: Range<Int>, first: Range<Int>) {
        findings.append(
            Finding(
                rule: .duplicateEnumCase,
                place: place(range),
                message: message,
                notes: [.init(place: place(first), message: "it is here first")]
            )
        )
    }

    /// The enums in the order of the file, as visible as their use needs; those that nothing uses are reported.
    mutating func finishedEnums(fileAccess: AccessLevel) -> [EnumType] {
        let inOrder = enums.values.sorted { $0.name.place.range.lowerBound < $1.name.place.range.lowerBound }
        return inOrder.map { type in
            if uses[type.name.text] == nil, Identifier.isValid(type.name.text) {
                report(.unusedType, at: type.name.place.range, "no key uses type '\(type.name.text)'")
            }
            var type = type
            type.access = max(fileAccess, uses[type.name.text] ?? fileAccess)
            return type
        }
    }
}

// MARK: - Types of keys

extension SchemaReader {
    /// Parses a key's type as Swift spells it; faults are reported at their place within the string.
    mutating func parseType(_ text: String, at range: Range<Int>) -> ValueType? {
        if let type = parsedTypes[text] { return type }
        // Where the string has escapes, places within it are not those of the text, and the whole of it is meant.
        let isPlain = range.count == text.utf8.count + 2
        var parser = TypeParser(text: text, declaredTypes: declaredTypes)
        do {
            let type = try parser.parse()
            parsedTypes[text] = type
            return type
        } catch {
            let start = isPlain ? range.lowerBound + 1 + error.offset : range.lowerBound
            let note = error.note ?? error.unknownName.map { noteOnUnknownType($0) }
            report(error.rule, at: start..<range.upperBound, error.message, note: note)
            // What the text may have meant to use is not unused.
            for name in text.split(whereSeparator: { " []<>:?,".contains($0) }) where enums[String(name)] != nil {
                uses[String(name)] = uses[String(name)] ?? .fileprivate
            }
            return nil
        }
    }

    private mutating func noteOnUnknownType(_ name: String) -> String {
        let unqualified = name.split(separator: ".").last.map(String.init) ?? name
        let candidates = Array(ValueType.builtIn.keys) + declaredTypes + ["Set"]
        return suggestions.nearest(to: unqualified, among: candidates).map { "did you mean '\($0)'?" }
            ?? "declare it under 'types', or use one of Swift's own"
    }
}
