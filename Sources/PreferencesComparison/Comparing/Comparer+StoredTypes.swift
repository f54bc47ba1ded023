import PreferencesSchema

/// Compares the stored values of enums and structs. Each type is compared once, for all keys that store it.
extension Comparer {
    mutating func compareStoredTypes() {
        var next = 0
        // Comparing the fields of structs adds the types of the fields, and cases that are stored.
        while next < sharedTypes.count {
            let (name, key) = sharedTypes[next]
            next += 1
            if let before = old.structure(name), let now = new.structure(name) {
                compareStoredFields(before, now, usedBy: key)
            }
        }
        for (name, key) in sharedTypes {
            if let before = old.enumeration(name), let now = new.enumeration(name) {
                compareRawValues(before, now, usedBy: key)
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
            guard let key = storedCases[type]?[enumCase.rawValue.storedForm] else { continue }
            let name = enumCase.name.text
            let value = enumCase.rawValue.storedForm.description
            let related = [(enumCase.name.place, "case '\(name)' is here in the old schema")]
            if let owner = caseOfValue[enumCase.rawValue] {
                // A case of which the name is gone was renamed to a new one.
                guard owner.name.text != name, caseOfName[name] != nil || oldNames.contains(owner.name.text) else {
                    continue
                }
                let former = before.cases.first { $0.name.text == owner.name.text }?.rawValue.storedForm.description
                report(
                    .rawValueReused,
                    "\(type).\(name)",
                    at: owner.name.place,
                    "the value \(value) of case '\(name)' of '\(type)' now belongs to case '\(owner.name.text)', as "
                        + "which stored values are read",
                    old: related,
                    advice: advice(about: key),
                    fix: caseOfName[name] != nil
                        ? "give case '\(name)' the value \(value) again, and case '\(owner.name.text)' another one"
                        : "give case '\(owner.name.text)' the value \(former ?? "that it had") again"
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

    /// Returns the differences because of which stored values of a struct are not read as the same values of another.
    ///
    /// - Parameter obstacle: Returns why some values of a field are not read as the same values.
    static func fieldFaults(
        _ before: StructType,
        _ now: StructType,
        obstacle: ((old: ValueType, new: ValueType)) -> String?
    ) -> [FieldFault] {
        let fields = FieldIndex(now)
        let (oldIDs, oldNames) = (Set(before.fields.map(\.id)), Set(before.fields.map(\.name.text)))
        var added = now.fields.filter { !oldIDs.contains($0.id) && !oldNames.contains($0.name.text) }
        var faults: [FieldFault] = []
        for field in before.fields {
            if let other = fields.byID[field.id] {
                if let fault = fault(of: field, readAs: other, before, fields, obstacle) { faults.append(fault) }
            } else if let renamed = fields.byName[field.name.text] {
                faults.append(.otherID(field, renamed, of: fields.type))
            } else {
                let index = added.firstIndex { $0.type == field.type }
                faults.append(.removed(field, replacedBy: index.map { added.remove(at: $0) }, of: fields.type))
            }
        }
        // A field that exists with another id is reported above.
        for field in now.fields
        where field.defaultValue == nil && !oldIDs.contains(field.id) && !oldNames.contains(field.name.text) {
            faults.append(.required(field, of: fields.type))
        }
        return faults
    }

    /// Returns why the values of a field are not read as the same values of the one with the same id.
    private static func fault(
        of field: StructType.Field,
        readAs other: StructType.Field,
        _ before: StructType,
        _ fields: FieldIndex,
        _ obstacle: ((old: ValueType, new: ValueType)) -> String?
    ) -> FieldFault? {
        let (name, newName) = (field.name.text, other.name.text)
        var message: String
        var fix = "give the new meaning a field of its own, and keep '\(name)' as it was"
        // A field of which the name is gone was renamed to a new one.
        let former = before.fields.first { $0.name.text == newName }
        if newName != name, fields.byName[name] != nil || former != nil {
            message =
                "the values of field '\(name)' of '\(fields.type)', stored as '\(field.id)', are now read as those of "
                + "field '\(newName)'"
            fix =
                if fields.byName[name] == nil, let former {
                    #"set the "id" of field '\#(newName)' to \#(former.id.jsonLiteral) again"#
                } else {
                    "give fields '\(name)' and '\(newName)' their former ids again"
                }
        } else if let obstacle = obstacle((field.type.unwrapped, other.type.unwrapped)) {
            message =
                "field '\(newName)' of '\(fields.type)' was of type '\(field.type.swiftName)', and is now of type "
                + "'\(other.type.swiftName)': \(obstacle)"
        } else if field.type.isOptional, !other.type.isOptional {
            message =
                "field '\(newName)' of '\(fields.type)' is no longer optional: "
                + (other.defaultValue == nil
                    ? "stored values of the struct without it are refused" : "a nil is read as its default")
            fix = "make the field optional again"
        } else if field.type.isOptional, field.defaultValue.isNilOrMissing, !other.defaultValue.isNilOrMissing {
            message =
                "field '\(newName)' of '\(fields.type)' has a default: a nil, which is stored by leaving it out, is "
                + "read as the default"
            fix = "remove the default of field '\(newName)'"
        } else {
            return nil
        }
        return FieldFault(
            rule: .storedFieldChanged,
            field: name,
            place: other.name.place,
            oldPlace: field.name.place,
            message: message,
            fix: fix
        )
    }
}

/// The fields of a struct by their names and ids.
private struct FieldIndex {
    /// The name of the struct.
    var type: String
    var byID: [String: StructType.Field]
    var byName: [String: StructType.Field]

    init(_ type: StructType) {
        self.type = type.name.text
        byID = Dictionary(type.fields.map { ($0.id, $0) }) { first, _ in first }
        byName = Dictionary(type.fields.map { ($0.name.text, $0) }) { first, _ in first }
    }
}

extension Comparer.FieldFault {
    fileprivate static func otherID(_ field: StructType.Field, _ renamed: StructType.Field, of type: String) -> Self {
        Self(
            rule: .storedFieldRemoved,
            field: field.name.text,
            place: renamed.name.place,
            oldPlace: field.name.place,
            message: "field '\(field.name.text)' of '\(type)' was stored as '\(field.id)', and is now stored as "
                + "'\(renamed.id)': "
                + (renamed.defaultValue == nil
                    ? "stored values of the struct are refused" : "its stored values are lost"),
            fix: #"set the "id" of field '\#(field.name.text)' to \#(field.id.jsonLiteral) again"#
        )
    }

    fileprivate static func removed(
        _ field: StructType.Field,
        replacedBy renamed: StructType.Field?,
        of type: String
    ) -> Self {
        let name = field.name.text
        return Self(
            rule: .storedFieldRemoved,
            field: name,
            place: renamed?.name.place,
            oldPlace: field.name.place,
            message:
                "no field of '\(type)' is stored as '\(field.id)' any more: the values of field '\(name)' are lost",
            fix: renamed.map {
                #"add "id": \#(field.id.jsonLiteral) to field '\#($0.name.text)', if it replaces '\#(name)'"#
            } ?? "keep field '\(name)', and say in its description what replaces it"
        )
    }

    fileprivate static func required(_ field: StructType.Field, of type: String) -> Self {
        Self(
            rule: .storedFieldRequired,
            field: field.name.text,
            place: field.name.place,
            message:
                "field '\(field.name.text)' of '\(type)' is new and has no default: stored values of the struct, which "
                + "do not have it, are refused",
            fix: "give field '\(field.name.text)' a default, or make it optional"
        )
    }
}

extension DefaultValue? {
    /// Whether a missing field reads as nil.
    fileprivate var isNilOrMissing: Bool { map { $0 == DefaultValue.none } ?? true }
}
