import PreferencesSchema

/// Whether the new version reads the values that the old one has stored as the same values.
extension Comparer {
    mutating func compareValues() {
        for index in old.keys.indices {
            guard let reader = successors[index] ?? readerOfFormerNames(of: index) else { continue }
            compareValues(of: index, reader)
        }
    }

    /// Returns what an old key whose storage name is gone has become, if that still reads values under its former names.
    private func readerOfFormerNames(of index: Int) -> Int? {
        guard let reader = new.keyAtPath[old.keys[index].path] ?? likelySuccessors[index] else { return nil }
        return old.keys[index].key.formerNames.contains { new.reader(of: $0) == reader } ? reader : nil
    }

    private mutating func compareValues(of oldKey: Int, _ newKey: Int) {
        let (before, now) = (old.keys[oldKey].key, new.keys[newKey].key)
        let obstacle = obstacle(
            to: before.type.unwrapped,
            before.constraints,
            as: now.type.unwrapped,
            usedBy: newKey,
            unit: before.documentation.unit
        )
        if let obstacle {
            retyped.insert(oldKey)
            report(
                .typeChanged,
                subject(ofKey: oldKey, newKey),
                at: new.place(of: "type", in: newKey),
                "\(description(ofKey: oldKey, newKey)) was of type '\(before.type.swiftName)', and is now of type "
                    + "'\(now.type.swiftName)': \(obstacle)",
                old: [
                    (old.place(of: "type", in: oldKey), "it is of type '\(before.type.swiftName)' in the old schema")
                ],
                fix: (isAbsorbed(oldKey, by: newKey)
                    ? "give the values of '\(old.keys[oldKey].path)' a key of their own, and "
                    : #"set its "type" to "\#(before.type.swiftName)" again, or give the new type a key of its own, and "#)
                    + "convert the values with a migration"
            )
            return
        }
        if before.type.isOptional, !now.type.isOptional, before.storesNil {
            report(
                .optionalRemoved,
                subject(ofKey: oldKey, newKey),
                at: new.place(of: "type", in: newKey),
                "\(description(ofKey: oldKey, newKey)) is no longer optional: a nil that is stored, because the key had "
                    + "another default, is refused",
                old: [
                    (old.place(of: "type", in: oldKey), "it is of type '\(before.type.swiftName)' in the old schema")
                ],
                fix: #"set its "type" to "\#(now.type.swiftName)?""#
            )
        }
        compareConstraints(of: oldKey, newKey)
    }

    /// Returns why some values of a type are not read as the same values of another one; nil if all are.
    ///
    /// Declared types that have the same name in both versions are compared later, once for all keys.
    ///
    /// - Parameters:
    ///   - constraints: The constraints on the old values.
    ///   - key: The index of the new key with the values.
    ///   - unit: The unit of the old values.
    mutating func obstacle(
        to before: ValueType,
        _ constraints: [Constraint],
        as now: ValueType,
        usedBy key: Int,
        unit: String? = nil
    ) -> String? {
        var visited: Set<[String]> = []
        return obstacle(to: before, constraints, as: now, usedBy: key, unit, &visited)
    }

    /// - Parameter visited: The pairs of structs of different names that are being compared.
    private mutating func obstacle(
        to before: ValueType,
        _ constraints: [Constraint],
        as now: ValueType,
        usedBy key: Int,
        _ unit: String?,
        _ visited: inout Set<[String]>
    ) -> String? {
        switch (before, now) {
        case (.optional(let before), .optional(let now)), (let before, .optional(let now)):
            return obstacle(to: before, constraints, as: now, usedBy: key, unit, &visited)
        case (.optional, _):
            return "nil is refused"
        case (.array(let before), .array(let now)), (.set(let before), .set(let now)),
            (.set(let before), .array(let now)),
            (.dictionary(let before), .dictionary(let now)):
            return obstacle(to: before, constraints.ofElements, as: now, usedBy: key, nil, &visited)
        case (.array, .set):
            return "the order of the elements is lost, and so are equal ones"
        case (.enumeration(let name), .enumeration(let now)) where name == now:
            if sharedTypeNames.insert(name).inserted { sharedTypes.append((name, key)) }
            for form in old.allStoredForms(of: before, constraints) ?? [] where storedCases[name]?[form] == nil {
                storedCases[name, default: [:]][form] = key
            }
            return nil
        case (.structure(let before), .structure(let now)) where before == now:
            if sharedTypeNames.insert(before).inserted { sharedTypes.append((before, key)) }
            return nil
        case (.enumeration(let before), .enumeration(let now)):
            return obstacle(toCasesOf: before, constraints, as: now)
        case (.structure(let before), .structure(let now)):
            guard visited.insert([before, now]).inserted else { return nil }
            guard let first = old.structure(before), let second = new.structure(now) else { return nil }
            let fault = Self.fieldFaults(first, second) { fields in
                obstacle(to: fields.old, [], as: fields.new, usedBy: key, nil, &visited)
            }.first
            return fault?.message
        case (.external(_, let before), .external(_, let now)) where before == now:
            return nil
        case (.external(_, let name), _), (_, .external(_, let name)):
            return "how values of '\(name)' are stored is not known"
        default:
            return obstacle(toScalar: before, constraints, as: now, unit)
        }
    }

    private func obstacle(toCasesOf before: String, _ constraints: [Constraint], as now: String) -> String? {
        // Faulty enums have no cases.
        guard let cases = old.enumeration(before)?.cases, let others = new.enumeration(now)?.cases else { return nil }
        let allowed = old.allStoredForms(of: .enumeration(before), constraints).map(Set.init)
        let caseOfValue = Dictionary(others.map { ($0.rawValue, $0.name.text) }) { first, _ in first }
        let (oldNames, names) = (Set(cases.map(\.name.text)), Set(others.map(\.name.text)))
        for enumCase in cases where allowed?.contains(enumCase.rawValue.storedForm) != false {
            guard let name = caseOfValue[enumCase.rawValue] else {
                return
                    "the stored value \(enumCase.rawValue.storedForm.description) of case '\(enumCase.name.text)' is "
                    + "refused"
            }
            // A case of which the name is gone was renamed to a new one.
            if name != enumCase.name.text, names.contains(enumCase.name.text) || oldNames.contains(name) {
                return "case '\(enumCase.name.text)' is read as '\(name)'"
            }
        }
        return nil
    }

    /// The units of a number of seconds, as durations are stored.
    private static let seconds: Set<String> = ["s", "sec", "second", "seconds"]

    private func obstacle(toDurationFrom before: ValueType, _ unit: String?) -> String? {
        switch before {
        case .integer where unit.map { Self.seconds.contains($0.lowercased()) } ?? false: nil
        case .integer, .float, .double: "its numbers are read as numbers of seconds"
        case .string, .enumeration: "its stored values are refused, or read as durations"
        default: "its stored values are refused"
        }
    }

    private func obstacle(
        toScalar before: ValueType,
        _ constraints: [Constraint],
        as now: ValueType,
        _ unit: String?
    ) -> String? {
        if before == now { return nil }
        if now == .duration { return obstacle(toDurationFrom: before, unit) }
        // Few values are examined one by one, except ranges of integers, which are described below.
        let isRange =
            before.isInteger && now.isInteger && !constraints.contains { if case .choices = $0 { true } else { false } }
        if !isRange, let forms = old.allStoredForms(of: before, constraints) {
            let refused = forms.first { !new.reads($0, of: before, as: now) }
            return refused.map { "the stored value \($0.description) is refused" }
        }
        switch (before, now) {
        case (.integer(let integer), .integer(let other)):
            let range = ModuleIndex.range(of: integer, constraints)
            let isTooLow = range.lower < other.range.lowerBound
            let isTooHigh = range.upper > other.range.upperBound
            if isTooLow, isTooHigh {
                return "values below \(other.range.lowerBound) or above \(other.range.upperBound) are refused"
            }
            if isTooLow { return "values below \(other.range.lowerBound) are refused" }
            return isTooHigh ? "values above \(other.range.upperBound) are refused" : nil
        case (.integer(let integer), .double), (.integer(let integer), .float):
            // Larger integers may have no equal floating-point number.
            let limit: Int128 = now == .double ? 1 << 53 : 1 << 24
            let range = ModuleIndex.range(of: integer, constraints)
            return range.lower < -limit || range.upper > limit
                ? "values beyond \(limit) that it cannot represent exactly are refused" : nil
        case (.float, .double), (.url, .string), (.uuid, .string), (.uuid, .url):
            return nil
        case (.double, .float):
            return "its numbers are rounded"
        case (.double, .integer), (.float, .integer):
            return "numbers with a fraction are refused"
        case (.duration, .double), (.duration, .integer), (.duration, .float):
            return "durations that are no number of seconds of that type are refused"
        case (.string, .url), (.string, .uuid):
            return "strings that are no '\(now.swiftName)' are refused"
        case (.string, .enumeration), (.integer, .enumeration):
            return "values that are no raw value of '\(now.swiftName)' are refused"
        default:
            return "its stored values are refused"
        }
    }
}

extension Key {
    /// Whether nil is stored as null, because a key that is not set has another default.
    fileprivate var storesNil: Bool {
        switch defaultValue {
        case .value(let value, let platforms): value != .none || platforms.contains { $0.value != .none }
        case .expression: true
        }
    }
}

extension ValueType {
    fileprivate var isInteger: Bool { if case .integer = self { true } else { false } }
}

extension [Constraint] {
    /// The constraints on elements.
    var ofElements: [Constraint] {
        for case .each(let constraints) in self { return constraints }
        return []
    }
}
