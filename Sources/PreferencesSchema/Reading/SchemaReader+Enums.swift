extension SchemaReader {
    /// Reads the cases of an enum: a list of names, which are also the raw values, or an object of names and their
    /// properties.
    mutating func readCases(_ node: JSONNode, of type: Name) -> [EnumType.Case]? {
        let cases: [EnumType.Case]
        switch node.content {
        case .array(let elements):
            cases = readCases(named: elements)
            // The faults of the names have been reported, and no cases remain.
            if cases.isEmpty, !elements.isEmpty { return nil }
        case .object(let members):
            cases = readCases(described: members)
        default:
            reportWrongType(
                of: node,
                what: "'enum'",
                expected: "an array of names or an object of names and raw values"
            )
            return nil
        }
        guard cases.isEmpty else { return cases }
        report(.emptyEnum, at: node.range, "type '\(type.text)' has no cases")
        return nil
    }

    private mutating func readCases(named elements: [JSONNode]) -> [EnumType.Case] {
        var cases: [EnumType.Case] = []
        var places: [String: Range<Int>] = [:]
        for element in elements {
            guard let text = string(element, what: "an enum case") else { continue }
            checkCaseName(text, at: element.range)
            if let first = places[text] {
                report(.duplicateEnumCase, at: element.range, "case '\(text)' is listed twice", firstAt: first)
                continue
            }
            places[text] = element.range
            cases.append(.init(name: Name(text: text, place: place(element.range)), rawValue: .string(text)))
        }
        return cases
    }

    private mutating func readCases(described members: [JSONMember]) -> [EnumType.Case] {
        var cases: [EnumType.Case] = []
        var places: [EnumType.RawValue: Range<Int>] = [:]
        var first: (value: EnumType.RawValue, place: Range<Int>)?
        for member in members {
            checkCaseName(member.name, at: member.nameRange)
            // A case with a faulty raw value still exists for defaults that name it.
            let name = Name(text: member.name, place: place(member.nameRange))
            var enumCase = EnumType.Case(name: name, rawValue: .string(member.name))
            var node: JSONNode? = member.value
            var isReadable = true
            if case .object = member.value.content, let fields = fields(of: member.value, .enumCase) {
                node = fields["value"]
                isReadable = node != nil || fields.isMissing("value")
                enumCase.label = string(fields["label"], what: "'label'")
                enumCase.description = documentationText(fields["description"], what: "'description'")
            }
            let place = node?.range ?? member.nameRange
            if isReadable, let rawValue = readRawValue(node, of: member.name, at: place, after: first) {
                first = first ?? (rawValue, place)
                enumCase.rawValue = rawValue
                if let earlier = places[rawValue] {
                    let message = "another case has the same raw value as '\(member.name)'"
                    report(.duplicateEnumCase, at: place, message, firstAt: earlier)
                }
                places[rawValue] = places[rawValue] ?? place
            }
            cases.append(enumCase)
        }
        return cases
    }

    /// - Parameter node: The raw value, or nil for a case that is stored under its name.
    private mutating func readRawValue(
        _ node: JSONNode?,
        of name: String,
        at range: Range<Int>,
        after first: (value: EnumType.RawValue, place: Range<Int>)?
    ) -> EnumType.RawValue? {
        let rawValue: EnumType.RawValue
        switch node?.content {
        case nil:
            rawValue = .string(name)
        case .string(let text):
            rawValue = .string(text)
        case .number(let number):
            guard let integer = number.exactly(Int64.self) else {
                report(.wrongJSONType, at: range, "a raw value must be a string or an 'Int', not \(number.text)")
                return nil
            }
            rawValue = .int(integer)
        case .some:
            if let node { reportWrongType(of: node, what: "a raw value", expected: "a string or an integer") }
            return nil
        }
        guard let first else { return rawValue }
        let kind: String
        switch (first.value, rawValue) {
        case (.string, .int): kind = "a string"
        case (.int, .string): kind = "an integer"
        default: return rawValue
        }
        let reason = "the raw values of one enum must be all strings or all integers"
        report(
            .mixedRawValues,
            at: range,
            node == nil ? "\(reason), and case '\(name)' without 'value' is stored as the string '\(name)'" : reason,
            other: place(first.place),
            "the first is \(kind)"
        )
        return nil
    }

    private mutating func checkCaseName(_ name: String, at range: Range<Int>) {
        if !Identifier.isValid(name) {
            report(
                .invalidName,
                at: range,
                "'\(name)' cannot be the name of an enum case: it is not a Swift identifier",
                note:
                    #"to store this raw value, use a valid case name: "enum": {"caseName": \#(JSONText.quoted(name))}"#
            )
        } else if ReservedNames.enumCases.contains(name) {
            report(
                .reservedName,
                at: range,
                "an enum case cannot be named '\(name)': every enum already has a member of that name"
            )
        }
    }
}
