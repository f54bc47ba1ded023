import PreferencesSchema

/// What changes of enums and structs do to stored values. Each type is compared once, for all keys that store it.
extension Comparer {
    mutating func compareDeclaredTypes() {
        var next = 0
        // Comparing the fields of structs adds the types of the fields.
        while next < sharedTypes.count {
            let (name, key) = sharedTypes[next]
            next += 1
            if let before = old.enumeration(name), let now = new.enumeration(name) {
                compareRawValues(before, now, usedBy: key)
            } else if let before = old.structure(name), let now = new.structure(name) {
                compareStoredFields(before, now, usedBy: key)
            }
        }
    }

    private func advice(about key: Int) -> [String] { ["key '\(new.keys[key].path)' stores such values"] }

    // MARK: - Enums

    private mutating func compareRawValues(_ before: EnumType, _ now: EnumType, usedBy key: Int) {
        let type = now.name.text
        guard before.rawType == now.rawType else {
            let kinds = (before.rawType == .int ? "integers" : "strings", now.rawType == .int ? "integers" : "strings")
            report(
                .rawValueRemoved,
                type,
                at: now.name.place,
                "the raw values of '\(type)' were \(kinds.0), and are now \(kinds.1): stored values are refused",
                old: [(before.name.place, "the enum is here in the old schema")],
                advice: advice(about: key),
                fix: "give its cases their former values again"
            )
            return
        }
        let caseOfValue = Dictionary(now.cases.map { ($0.rawValue, $0) }) { first, _ in first }
        let caseOfName = Dictionary(now.cases.map { ($0.name.text, $0) }) { first, _ in first }
        let oldValues = Set(before.cases.map(\.rawValue))
        let oldNames = Set(before.cases.map(\.name.text))
        // Cases of which both the name and the value are new.
        var added = now.cases.filter { !oldValues.contains($0.rawValue) && !oldNames.contains($0.name.text) }[...]
        for enumCase in before.cases {
            let name = enumCase.name.text
            let value = enumCase.rawValue.storedForm.description
            let related = [(enumCase.name.place, "case '\(name)' is here in the old schema")]
            if let owner = caseOfValue[enumCase.rawValue] {
                // A case that is gone was renamed.
                guard owner.name.text != name, let renumbered = caseOfName[name] else { continue }
                report(
                    .rawValueReused,
                    "\(type).\(name)",
                    at: owner.name.place,
                    "the value \(value) of case '\(name)' of '\(type)' now belongs to case '\(owner.name.text)', as which "
                        + "stored values are read",
                    old: related,
                    advice: advice(about: key),
                    fix: "give case '\(renumbered.name.text)' the value \(value) again, and case '\(owner.name.text)' another "
                        + "one"
                )
            } else if let owner = caseOfName[name] {
                report(
                    .rawValueRemoved,
                    "\(type).\(name)",
                    at: owner.name.place,
                    "case '\(name)' of '\(type)' was stored as \(value), and is now stored as "
                        + "\(owner.rawValue.storedForm.description): stored values are refused",
                    old: related,
                    advice: advice(about: key),
                    fix: "give case '\(name)' the value \(value) again"
                )
            } else {
                let renamed = added.popFirst()
                report(
                    .rawValueRemoved,
                    "\(type).\(name)",
                    at: renamed?.name.place ?? now.name.place,
                    "no case of '\(type)' has the value \(value) of case '\(name)' any more: where it is stored, it is "
                        + "refused",
                    old: related,
                    advice: advice(about: key),
                    fix: renamed.map { "give case '\($0.name.text)' the value \(value), if it replaces '\(name)'" }
                        ?? "keep case '\(name)', and say in its description what replaces it"
                )
            }
        }
    }

    // MARK: - Structs

    private mutating func compareStoredFields(_ before: StructType, _ now: StructType, usedBy key: Int) {
        let faults = Self.fieldFaults(before, now) { types in
            obstacle(to: types.old, [], as: types.new, usedBy: key)
        }
        for fault in faults {
            report(
                fault.rule,
                "\(now.name.text).\(fault.field)",
                at: fault.place ?? now.name.place,
                fault.message,
                old: fault.oldPlace.map { [($0, "the field is here in the old schema")] }
                    ?? [(before.name.place, "the struct is here in the old schema")],
                advice: advice(about: key),
                fix: fault.fix
            )
        }
    }

    /// A difference between two structs because of which stored values of one are not read as those of the other.
    struct FieldFault {
        var rule: ChangeRule
        var field: String
        /// The place of the field in the new struct.
        var place: Place?
        var oldPlace: Place?
        var message: String
        var fix: String
    }

    /// Returns the differences because of which stored values of a struct are not read as the same values of another one.
    ///
    /// - Parameter obstacle: Returns why some values of a field are not read as the same values.
    static func fieldFaults(
        _ before: StructType,
        _ now: StructType,
        obstacle: ((old: ValueType, new: ValueType)) -> String?
    ) -> [FieldFault] {
        let type = now.name.text
        let fieldOfID = Dictionary(now.fields.map { ($0.id, $0) }) { first, _ in first }
        let fieldOfName = Dictionary(now.fields.map { ($0.name.text, $0) }) { first, _ in first }
        let oldIDs = Set(before.fields.map(\.id))
        let oldNames = Set(before.fields.map(\.name.text))
        var faults: [FieldFault] = []
        var added = now.fields.filter { !oldIDs.contains($0.id) && !oldNames.contains($0.name.text) }
        for field in before.fields {
            let name = field.name.text
            var fault = FieldFault(rule: .storedFieldChanged, field: name, oldPlace: field.name.place, message: "", fix: "")
            guard let other = fieldOfID[field.id] else {
                let lost = "no field of '\(type)' is stored as '\(field.id)' any more: the values of field '\(name)' are lost"
                fault.rule = .storedFieldRemoved
                if let renamed = fieldOfName[name] {
                    fault.place = renamed.name.place
                    fault.message =
                        "field '\(name)' of '\(type)' was stored as '\(field.id)', and is now stored as '\(renamed.id)': "
                        + (renamed.defaultValue == nil
                            ? "stored values of the struct are refused" : "its stored values are lost")
                    fault.fix = #"set the "id" of field '\#(name)' to \#(field.id.jsonLiteral) again"#
                } else if let index = added.firstIndex(where: { $0.type == field.type }) {
                    let renamed = added.remove(at: index)
                    fault.place = renamed.name.place
                    fault.message = lost
                    fault.fix =
                        #"add "id": \#(field.id.jsonLiteral) to field '\#(renamed.name.text)', if it replaces '\#(name)'"#
                } else {
                    fault.message = lost
                    fault.fix = "keep field '\(name)', and say in its description what replaces it"
                }
                faults.append(fault)
                continue
            }
            fault.place = other.name.place
            fault.fix = "give the new meaning a field of its own, and keep '\(name)' as it was"
            if other.name.text != name, fieldOfName[name] != nil {
                fault.message =
                    "the values of field '\(name)' of '\(type)', stored as '\(field.id)', are now read as those of field "
                    + "'\(other.name.text)'"
                fault.fix = "give fields '\(name)' and '\(other.name.text)' their former ids again"
            } else if let obstacle = obstacle((field.type.unwrapped, other.type.unwrapped)) {
                fault.message =
                    "field '\(other.name.text)' of '\(type)' was of type '\(field.type.swiftName)', and is now of type "
                    + "'\(other.type.swiftName)': \(obstacle)"
            } else if field.type.isOptional, !other.type.isOptional {
                fault.message =
                    "field '\(other.name.text)' of '\(type)' is no longer optional: "
                    + (other.defaultValue == nil
                        ? "stored values of the struct without it are refused" : "a nil is read as its default")
                fault.fix = "make the field optional again"
            } else if field.type.isOptional, field.defaultValue.isNilOrMissing, !other.defaultValue.isNilOrMissing {
                fault.message =
                    "field '\(other.name.text)' of '\(type)' has a default: a nil, which is stored by leaving it out, is read "
                    + "as the default"
                fault.fix = "remove the default of field '\(other.name.text)'"
            } else {
                continue
            }
            faults.append(fault)
        }
        for field in now.fields where !oldIDs.contains(field.id) && field.defaultValue == nil {
            // A field whose id has changed is reported above; so is one that probably replaces another.
            guard !oldNames.contains(field.name.text) else { continue }
            faults.append(
                FieldFault(
                    rule: .storedFieldRequired,
                    field: field.name.text,
                    place: field.name.place,
                    message: "field '\(field.name.text)' of '\(type)' is new and has no default: stored values of the struct, "
                        + "which do not have it, are refused",
                    fix: "give field '\(field.name.text)' a default, or make it optional"
                )
            )
        }
        return faults
    }
}

extension DefaultValue? {
    /// Whether a missing field reads as nil.
    fileprivate var isNilOrMissing: Bool { map { $0 == DefaultValue.none } ?? true }
}
