import PreferencesSchema

/// Whether the new version accepts every value that the old one did.
extension Comparer {
    mutating func compareConstraints(of oldKey: Int, _ newKey: Int) {
        let (before, now) = (old.keys[oldKey].key, new.keys[newKey].key)
        if now.constraints.isEmpty { return }
        for fault in faults(
            from: before.constraints,
            on: before.type.unwrapped,
            to: now.constraints,
            on: now.type.unwrapped,
            at: []
        ) {
            let path = fault.path + [fault.field]
            let value = new.places.value(path, of: now.name.place)
            let oldValue = old.places.value(path, of: before.name.place)
            let name = path.joined(separator: ".")
            let change =
                if fault.field == "choices" {
                    oldValue == nil ? "has 'choices' now" : "has fewer 'choices' now"
                } else if let oldValue {
                    "had the '\(name)' \(oldValue.brief), and has \(value?.brief ?? "another value") now"
                } else {
                    "has the '\(name)' \(value?.brief ?? "of another value") now"
                }
            report(
                .constraintTightened,
                subject(ofKey: oldKey, newKey),
                at: new.places.place(of: path, in: now.name.place),
                "\(description(ofKey: oldKey, newKey)) \(change): \(fault.consequence), and the key reads as its default",
                old: [(old.places.place(of: path, in: before.name.place), "the key is here in the old schema")],
                fix: oldValue.map { "set '\(name)' to \($0.brief) again" } ?? "remove '\(name)'"
            )
        }
    }

    /// A constraint that refuses values which the old version accepted.
    private struct ConstraintFault {
        /// The fields around it: `each` for constraints on elements.
        var path: [String]
        var field: String
        var consequence: String
    }

    /// - Parameter path: The fields around the constraints.
    private func faults(
        from before: [Constraint],
        on oldType: ValueType,
        to now: [Constraint],
        on newType: ValueType,
        at path: [String]
    ) -> [ConstraintFault] {
        let oldForms = old.allStoredForms(of: oldType, before)
        for case .choices(let choices) in now {
            // Choices satisfy all other constraints, so that these have no effect.
            let allowed = Set(choices.compactMap { new.storedForm(of: $0, as: newType) })
            // Values that the new type does not have are reported with the type.
            let refused = oldForms?.first { !allowed.contains($0) && new.reads($0, of: oldType, as: newType) }
            if let oldForms, refused == nil || oldForms.isEmpty { return [] }
            let consequence = "\(refused.map { "the value \($0.description)" } ?? "any other value") is refused"
            return [ConstraintFault(path: path, field: "choices", consequence: consequence)]
        }
        var found: [ConstraintFault] = []
        for constraint in now {
            switch constraint {
            case .range(let minimum, let maximum):
                let bounds = bounds(of: oldType, before, oldForms)
                if let limit = minimum.flatMap({ new.storedForm(of: $0, as: newType) }),
                    bounds.lower.map({ $0.isLess(than: limit) }) ?? true
                {
                    found.append(ConstraintFault(path: path, field: "minimum", consequence: "lower values are refused"))
                }
                if let limit = maximum.flatMap({ new.storedForm(of: $0, as: newType) }),
                    bounds.upper.map({ limit.isLess(than: $0) }) ?? true
                {
                    found.append(
                        ConstraintFault(path: path, field: "maximum", consequence: "higher values are refused")
                    )
                }
            case .length(let limits):
                found += faults(from: lengths(before, oldForms), to: limits, "Length", at: path)
            case .count(let limits):
                var counts: Constraint.Limits?
                for case .count(let limits) in before { counts = limits }
                found += faults(from: counts, to: limits, "Count", at: path)
            case .pattern(let pattern):
                guard !before.contains(constraint) else { continue }
                var consequence = "values that do not match it are refused"
                if let oldForms {
                    let refused = oldForms.first { !$0.matches(pattern) && new.reads($0, of: oldType, as: newType) }
                    guard let refused else { continue }
                    consequence = "the value \(refused.description) is refused"
                }
                found.append(ConstraintFault(path: path, field: "pattern", consequence: consequence))
            case .each(let elements):
                guard let oldElement = oldType.elementType, let newElement = newType.elementType else { continue }
                found += faults(
                    from: before.ofElements,
                    on: oldElement.unwrapped,
                    to: elements,
                    on: newElement.unwrapped,
                    at: path + ["each"]
                )
            case .choices: break
            }
        }
        return found
    }

    /// Returns the least and the greatest of the values that the old version accepted; nil for none.
    private func bounds(
        of type: ValueType,
        _ constraints: [Constraint],
        _ forms: [StoredForm]?
    ) -> (lower: StoredForm?, upper: StoredForm?) {
        if let forms {
            return (forms.min { $0.isLess(than: $1) }, forms.max { $0.isLess(than: $1) })
        }
        if case .integer(let integer) = type {
            let range = ModuleIndex.range(of: integer, constraints)
            return (.integer(range.lower), .integer(range.upper))
        }
        for case .range(let minimum, let maximum) in constraints {
            return (
                minimum.flatMap { old.storedForm(of: $0, as: type) },
                maximum.flatMap { old.storedForm(of: $0, as: type) }
            )
        }
        return (nil, nil)
    }

    /// Returns the limits of the lengths that the old version accepted.
    private func lengths(_ constraints: [Constraint], _ forms: [StoredForm]?) -> Constraint.Limits? {
        if let forms {
            let lengths = forms.map { if case .string(let text) = $0 { text.count } else { 0 } }
            return Constraint.Limits(minimum: lengths.min(), maximum: lengths.max())
        }
        for case .length(let limits) in constraints { return limits }
        return nil
    }

    /// - Parameter unit: The end of the fields' names.
    private func faults(
        from before: Constraint.Limits?,
        to now: Constraint.Limits,
        _ unit: String,
        at path: [String]
    ) -> [ConstraintFault] {
        let (fewer, more) =
            unit == "Count" ? ("with fewer elements", "with more elements") : ("that are shorter", "that are longer")
        var found: [ConstraintFault] = []
        if let minimum = now.minimum, minimum > before?.minimum ?? 0 {
            found.append(ConstraintFault(path: path, field: "min\(unit)", consequence: "values \(fewer) are refused"))
        }
        if let maximum = now.maximum, maximum < before?.maximum ?? .max {
            found.append(ConstraintFault(path: path, field: "max\(unit)", consequence: "values \(more) are refused"))
        }
        return found
    }
}

extension StoredForm {
    /// Whether a string matches a pattern as the reader of schemas finds it for defaults.
    fileprivate func matches(_ pattern: String) -> Bool {
        if case .string(let text) = self { Pattern.matches(text, pattern) ?? false } else { false }
    }
}

extension ValueType {
    /// The type of a collection's elements, or of a dictionary's values.
    var elementType: ValueType? {
        switch self {
        case .array(let element), .set(let element), .dictionary(let element): element
        default: nil
        }
    }
}
