/// A constraint, and where the schema says it.
struct PlacedConstraint {
    var constraint: Constraint
    /// The lower end of a range, or the only field that there is.
    var place: Place
    /// The upper end.
    var upperPlace: Place?
    /// For ``Constraint/each(_:)``, what it is made of.
    var elements: [PlacedConstraint] = []
    /// For ``Constraint/choices(_:)``, all of them in the form in which values are compared.
    var choices: Set<DefaultValue> = []
}

extension SchemaReader {
    /// Reads the constraints on values of a type; nil, and reported, where any is faulty.
    ///
    /// - Parameter what: Whose they are: `key 'temperature'`.
    mutating func readConstraints(
        _ fields: Fields,
        on type: ValueType,
        of what: @autoclosure () -> String
    ) -> [PlacedConstraint]? {
        guard fields.haveAny(of: ObjectKind.constraintFields) else { return [] }
        let count = findings.count
        let base = type.unwrapped
        for field in ObjectKind.constraintFields {
            guard let member = fields.member(field), !base.allows(field) else { continue }
            report(
                .constraintType,
                at: member.nameRange,
                "\(what()) of type '\(type.schemaName)' cannot have '\(field)'",
                note: base.isCollection && base.element?.unwrapped.allows(field) == true
                    ? #"to say it of the elements: "each": {"\#(field)": …}"#
                    : "'\(field)' is for \(ValueType.description(ofTypesWith: field))"
            )
        }
        var constraints = [
            readRange(fields, on: base), readLimits(fields, "Length", on: base), readLimits(fields, "Count", on: base),
            readPattern(fields, on: base),
        ].compactMap(\.self)
        if let choices = readChoices(fields, on: base, constraints) { constraints.append(choices) }
        if let each = readEach(fields, on: base, of: what()) { constraints.append(each) }
        return findings.count == count ? constraints : nil
    }

    private mutating func readRange(_ fields: Fields, on type: ValueType) -> PlacedConstraint? {
        guard type.allows("minimum") else { return nil }
        let minimum = fields["minimum"].flatMap { node in value(of: node, as: type).map { ($0, node) } }
        let maximum = fields["maximum"].flatMap { node in value(of: node, as: type).map { ($0, node) } }
        if let minimum, let maximum, minimum.0.isAbove(maximum.0) {
            report(
                .invertedRange,
                at: maximum.1.range,
                "the maximum is below the minimum, so that no value is allowed",
                other: place(minimum.1.range),
                "the minimum is here"
            )
        }
        guard let node = (minimum ?? maximum)?.1 else { return nil }
        return PlacedConstraint(
            constraint: .range(minimum: minimum?.0, maximum: maximum?.0),
            place: place(node.range),
            upperPlace: maximum.map { place($0.1.range) }
        )
    }

    /// - Parameter unit: `Length` or `Count`, which the two fields end in.
    private mutating func readLimits(_ fields: Fields, _ unit: String, on type: ValueType) -> PlacedConstraint? {
        guard type.allows("min\(unit)") else { return nil }
        let minimum = limit(fields["min\(unit)"], what: "min\(unit)")
        let maximum = limit(fields["max\(unit)"], what: "max\(unit)")
        if let minimum, let maximum, minimum.value > maximum.value {
            report(
                .invertedRange,
                at: maximum.place.range,
                "'max\(unit)' is below 'min\(unit)', so that no value is allowed",
                other: minimum.place,
                "'min\(unit)' is here"
            )
        }
        guard let place = (minimum ?? maximum)?.place else { return nil }
        let limits = Constraint.Limits(minimum: minimum?.value, maximum: maximum?.value)
        return PlacedConstraint(
            constraint: unit == "Length" ? .length(limits) : .count(limits),
            place: place,
            upperPlace: maximum?.place
        )
    }

    private mutating func limit(_ node: JSONNode?, what: String) -> (value: Int, place: Place)? {
        guard let node else { return nil }
        guard case .number(let number) = node.content else {
            reportWrongType(of: node, what: "'\(what)'", expected: "a number")
            return nil
        }
        if let value = number.exactly(Int.self), value >= 0 { return (value, place(node.range)) }
        let isNegative = number.text.hasPrefix("-")
        let isHuge = !isNegative && (number.double ?? .infinity) >= Double(Int.max)
        let range = isHuge ? "at most \(Int.max)" : "a whole number from 0 on"
        report(.invalidLimit, at: node.range, "'\(what)' must be \(range), not \(number.text)")
        return nil
    }

    private mutating func readPattern(_ fields: Fields, on type: ValueType) -> PlacedConstraint? {
        guard type.allows("pattern"), let node = fields["pattern"], let text = string(node, what: "'pattern'") else {
            return nil
        }
        do {
            try Pattern.check(text)
            return PlacedConstraint(constraint: .pattern(text), place: place(node.range))
        } catch {
            let start = node.range.lowerBound + place(of: error.offset, in: text, at: node.range)
            report(.invalidPattern, at: start..<node.range.upperBound, error.message)
            return nil
        }
    }

    /// - Parameter others: What the choices have to be themselves.
    private mutating func readChoices(
        _ fields: Fields,
        on type: ValueType,
        _ others: [PlacedConstraint]
    ) -> PlacedConstraint? {
        guard type.allows("choices"), let node = fields["choices"],
            let nodes = elements(of: node, what: "'choices'")
        else { return nil }
        if nodes.isEmpty {
            report(.emptyChoices, at: node.range, "'choices' must have at least one value, or no value is allowed")
        }
        var choices: [DefaultValue] = []
        var places: [DefaultValue: Range<Int>] = [:]
        for node in nodes {
            guard let value = value(of: node, as: type) else { continue }
            for other in others { check(value, at: node, of: type, against: other) }
            let comparable = value.comparable(as: type)
            if let first = places[comparable] {
                let message = "\(node.shortText) is among the choices already"
                report(.duplicateElement, at: node.range, message, firstAt: first)
            }
            places[comparable] = places[comparable] ?? node.range
            choices.append(value)
        }
        return PlacedConstraint(
            constraint: .choices(choices),
            place: place(node.range),
            choices: Set(places.keys)
        )
    }

    private mutating func readEach(_ fields: Fields, on type: ValueType, of what: String) -> PlacedConstraint? {
        guard let element = type.element, let node = fields["each"],
            let inner = self.fields(of: node, .elementConstraints)
        else { return nil }
        if ObjectKind.constraintFields.allSatisfy(inner.isMissing) {
            report(
                .missingField,
                at: node.range,
                "'each' has no constraint",
                note: "its fields are \(ObjectKind.constraintFields.quotedList)"
            )
        }
        guard let elements = readConstraints(inner, on: element, of: "an element of \(what)") else { return nil }
        return PlacedConstraint(
            constraint: .each(elements.map(\.constraint)),
            place: place(node.range),
            elements: elements
        )
    }
}

extension ValueType {
    var isCollection: Bool { element != nil }

    /// What a collection has in it; a dictionary's values.
    var element: ValueType? {
        switch self {
        case .array(let element), .set(let element), .dictionary(let element): element
        default: nil
        }
    }

    /// Whether values of this type, which is no optional, can be held to what a field says.
    fileprivate func allows(_ field: String) -> Bool {
        switch field {
        case "minimum", "maximum":
            switch self {
            case .integer, .float, .double, .duration, .date: true
            default: false
            }
        case "pattern": self == .string
        case "minLength", "maxLength": self == .string || self == .data
        case "minCount", "maxCount", "each": isCollection
        default:
            switch self {
            case .integer, .float, .double, .duration, .date, .string, .url, .uuid, .enumeration: true
            default: false
            }
        }
    }

    fileprivate static func description(ofTypesWith field: String) -> String {
        switch field {
        case "minimum", "maximum": "numbers, 'Duration' and 'Date'"
        case "pattern": "'String'"
        case "minLength", "maxLength": "'String' and 'Data'"
        case "minCount", "maxCount", "each": "arrays, sets and dictionaries"
        default: "numbers, 'String', 'Date', 'Duration', 'URL', 'UUID' and enums"
        }
    }
}
