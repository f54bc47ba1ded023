/// A constraint and its place in the schema.
struct LocatedConstraint {
    var constraint: Constraint
    /// The place of a range's lower bound, or of the only field.
    var place: Place
    /// The place of the upper bound.
    var upperPlace: Place?
    /// The constraints of ``Constraint/each(_:)``.
    var elements: [LocatedConstraint] = []
    /// The normalized values of ``Constraint/choices(_:)``.
    var choices: Set<DefaultValue> = []
}

extension SchemaReader {
    /// Reads the constraints on values of a type. Reports faults, and returns nil if there are any.
    ///
    /// - Parameter what: The constrained declaration, for messages: `key 'temperature'`.
    mutating func readConstraints(
        _ fields: Fields,
        on type: ValueType,
        of what: @autoclosure () -> String
    ) -> [LocatedConstraint]? {
        guard fields.containAny(of: ObjectKind.constraintFields) else { return [] }
        let findingCount = findings.count
        let base = type.unwrapped
        for field in ObjectKind.constraintFields {
            guard let member = fields.member(field), !base.allows(field) else { continue }
            report(
                .constraintType,
                at: member.nameRange,
                "\(what()) of type '\(type.schemaName)' cannot have '\(field)'",
                note: base.isCollection && base.element?.unwrapped.allows(field) == true
                    ? #"to constrain the elements, use "each": {"\#(field)": …}"#
                    : "'\(field)' applies to \(ValueType.description(ofTypesWith: field))"
            )
        }
        var constraints = [
            readRange(fields, on: base), readLimits(fields, "Length", on: base), readLimits(fields, "Count", on: base),
            readPattern(fields, on: base),
        ].compactMap(\.self)
        if let choices = readChoices(fields, on: base, constraints) { constraints.append(choices) }
        if let each = readEach(fields, on: base, of: what()) { constraints.append(each) }
        return findings.count == findingCount ? constraints : nil
    }

    private mutating func readRange(_ fields: Fields, on type: ValueType) -> LocatedConstraint? {
        guard type.allows("minimum") else { return nil }
        let minimum = fields["minimum"].flatMap { node in value(of: node, as: type).map { ($0, node) } }
        let maximum = fields["maximum"].flatMap { node in value(of: node, as: type).map { ($0, node) } }
        if let minimum, let maximum, minimum.0.isGreater(than: maximum.0) {
            report(
                .invertedRange,
                at: maximum.1.range,
                "the maximum is below the minimum, so no value is allowed",
                other: place(minimum.1.range),
                "the minimum is here"
            )
        }
        guard let node = (minimum ?? maximum)?.1 else { return nil }
        return LocatedConstraint(
            constraint: .range(minimum: minimum?.0, maximum: maximum?.0),
            place: place(node.range),
            upperPlace: maximum.map { place($0.1.range) }
        )
    }

    /// - Parameter unit: `Length` or `Count`, the suffix of the two fields.
    private mutating func readLimits(_ fields: Fields, _ unit: String, on type: ValueType) -> LocatedConstraint? {
        guard type.allows("min\(unit)") else { return nil }
        let minimum = limit(fields["min\(unit)"], what: "min\(unit)")
        let maximum = limit(fields["max\(unit)"], what: "max\(unit)")
        if let minimum, let maximum, minimum.value > maximum.value {
            report(
                .invertedRange,
                at: maximum.place.range,
                "'max\(unit)' is below 'min\(unit)', so no value is allowed",
                other: minimum.place,
                "'min\(unit)' is here"
            )
        }
        guard let place = (minimum ?? maximum)?.place else { return nil }
        let limits = Constraint.Limits(minimum: minimum?.value, maximum: maximum?.value)
        return LocatedConstraint(
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
        let range = isHuge ? "at most \(Int.max)" : "a whole number of at least 0"
        report(.invalidLimit, at: node.range, "'\(what)' must be \(range), not \(number.text)")
        return nil
    }

    private mutating func readPattern(_ fields: Fields, on type: ValueType) -> LocatedConstraint? {
        guard type.allows("pattern"), let node = fields["pattern"], let text = string(node, what: "'pattern'") else {
            return nil
        }
        do {
            try Pattern.check(text)
            return LocatedConstraint(constraint: .pattern(text), place: place(node.range))
        } catch {
            let start = node.range.lowerBound + offset(of: error.offset, in: text, at: node.range)
            report(.invalidPattern, at: start..<node.range.upperBound, error.message)
            return nil
        }
    }

    /// - Parameter others: The other constraints, which the choices must satisfy.
    private mutating func readChoices(
        _ fields: Fields,
        on type: ValueType,
        _ others: [LocatedConstraint]
    ) -> LocatedConstraint? {
        guard type.allows("choices"), let node = fields["choices"],
            let nodes = elements(of: node, what: "'choices'")
        else { return nil }
        if nodes.isEmpty {
            report(.emptyChoices, at: node.range, "'choices' must not be empty, since no value would be allowed")
        }
        var choices: [DefaultValue] = []
        var places: [DefaultValue: Range<Int>] = [:]
        for node in nodes {
            guard let value = value(of: node, as: type) else { continue }
            for other in others { check(value, at: node, of: type, against: other) }
            let normalized = value.normalized(as: type)
            if let first = places[normalized] {
                let message = "\(node.shortText) is already among the choices"
                report(.duplicateElement, at: node.range, message, firstAt: first)
            }
            places[normalized] = places[normalized] ?? node.range
            choices.append(value)
        }
        return LocatedConstraint(
            constraint: .choices(choices),
            place: place(node.range),
            choices: Set(places.keys)
        )
    }

    private mutating func readEach(_ fields: Fields, on type: ValueType, of what: String) -> LocatedConstraint? {
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
        return LocatedConstraint(
            constraint: .each(elements.map(\.constraint)),
            place: place(node.range),
            elements: elements
        )
    }
}

extension ValueType {
    var isCollection: Bool { element != nil }

    /// The type of a collection's elements, or of a dictionary's values.
    var element: ValueType? {
        switch self {
        case .array(let element), .set(let element), .dictionary(let element): element
        default: nil
        }
    }

    /// Returns whether a constraint applies to this type, which is not an optional.
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
