import PreferencesSchema

/// Whether code that uses declared enums and structs still compiles.
extension Comparer {
    mutating func compareTypeDeclarations() {
        let successorOfType = successorsOfTypes()
        for before in old.types.values.sorted(by: { $0.name.text < $1.name.text }) where before.access.isVisibleOutside
        {
            let name = before.name.text
            let related = [(before.name.place, "type '\(name)' is here in the old schema")]
            switch (before, new.types[name]) {
            case (_, nil):
                let renamed = successorOfType[name].flatMap { new.types[$0] }
                report(
                    .declaredTypeRemoved,
                    name,
                    at: renamed?.name.place ?? placeOfFile(old.schemaOfType[name] ?? 0),
                    renamed.map { "type '\(name)' is now '\($0.name.text)'" } ?? "there is no type '\(name)' any more",
                    old: related,
                    fix: renamed.map {
                        "declare a deprecated '\(before.access.rawValue) typealias \(name) = \($0.name.text)'"
                    } ?? "keep the type, or declare it in Swift if no key uses it",
                    remains: renamed != nil
                )
            case (.enumeration(let before), .enumeration(let now)):
                compareAccess(ofType: name, before.access, now.access, at: now.name.place, related)
                if now.access.isVisibleOutside { compareCases(before, now) }
            case (.structure(let before), .structure(let now)):
                compareAccess(ofType: name, before.access, now.access, at: now.name.place, related)
                if now.access.isVisibleOutside { compareMembers(before, now) }
            case (_, let now?):
                let kinds = if case .enumeration = now { ("a struct", "an enum") } else { ("an enum", "a struct") }
                report(
                    .declaredTypeRemoved,
                    name,
                    at: now.name.place,
                    "type '\(name)' was \(kinds.0), and is now \(kinds.1)",
                    old: related,
                    fix: "give the new type another name"
                )
            }
        }
    }

    private mutating func compareAccess(
        ofType name: String,
        _ before: AccessLevel,
        _ now: AccessLevel,
        at place: Place,
        _ related: [(place: Place, message: String)]
    ) {
        if let schema = old.schemaOfType[name], let newSchema = new.schemaOfType[name],
            followsFile(before, schema, now, newSchema)
        {
            return
        }
        // A type is as visible as the file and the keys that use it.
        let owner = "the file, or of a key of type '\(name)',"
        compareAccess(name, before, now, at: place, related, settingAccessOf: owner)
    }

    /// Returns the new names of types that are gone: those of the keys that had such a type.
    private func successorsOfTypes() -> [String: String] {
        var found: [String: String] = [:]
        for index in old.keys.indices {
            guard let successor = successors[index] else { continue }
            let name = old.keys[index].key.type.leaf.swiftName
            let other = new.keys[successor].key.type.leaf.swiftName
            if name != other, found[name] == nil, old.types[other] == nil, new.types[other] != nil {
                found[name] = other
            }
        }
        return found
    }

    // MARK: - Enums

    private mutating func compareCases(_ before: EnumType, _ now: EnumType) {
        let type = now.name.text
        let caseOfName = Dictionary(now.cases.map { ($0.name.text, $0) }) { first, _ in first }
        let caseOfValue = Dictionary(now.cases.map { ($0.rawValue, $0) }) { first, _ in first }
        let oldNames = Set(before.cases.map(\.name.text))
        var renamedTo: Set<String> = []
        for enumCase in before.cases where caseOfName[enumCase.name.text] == nil {
            let name = enumCase.name.text
            let renamed = caseOfValue[enumCase.rawValue].flatMap { oldNames.contains($0.name.text) ? nil : $0 }
            if let renamed { renamedTo.insert(renamed.name.text) }
            report(
                .enumCaseRemoved,
                "\(type).\(name)",
                at: renamed?.name.place ?? now.name.place,
                renamed.map { "case '\(name)' of '\(type)' is now '\($0.name.text)'" }
                    ?? "'\(type)' has no case '\(name)' any more",
                old: [(enumCase.name.place, "case '\(name)' is here in the old schema")],
                advice: renamed.map {
                    ["exhaustive switches outside the module must handle '\($0.name.text)', also with such a property"]
                } ?? [],
                fix: renamed.map {
                    "declare a deprecated '\(before.access.rawValue) static var \(name): Self { .\($0.name.text) }' in "
                        + "an extension of '\(type)'"
                }
                    ?? "keep case '\(name)', and say in its description what replaces it",
                remains: renamed != nil
            )
        }
        for enumCase in now.cases where !oldNames.contains(enumCase.name.text) {
            let name = enumCase.name.text
            // A renamed case is reported above.
            if renamedTo.contains(name) { continue }
            report(
                .enumCaseAdded,
                "\(type).\(name)",
                at: enumCase.name.place,
                "'\(type)' has a new case '\(name)', which exhaustive switches do not handle",
                old: [(before.name.place, "the enum is here in the old schema")],
                fix: "announce it to users of the module, whose switches need a case or a default for it",
                remains: true
            )
        }
        let related = [(before.name.place, "the enum is here in the old schema")]
        if before.rawType != now.rawType {
            report(
                .rawTypeChanged,
                type,
                at: now.name.place,
                "the raw values of '\(type)' were of type '\(before.rawType.rawValue)', and are now of type "
                    + "'\(now.rawType.rawValue)'",
                old: related,
                fix: "give its cases their former values again"
            )
        }
        if before.hasLabels, !now.hasLabels {
            report(
                .labelsRemoved,
                "\(type).label",
                at: now.name.place,
                "no case of '\(type)' has a label any more, so that the enum has no property 'label'",
                old: related,
                fix: "give a case a label again"
            )
        }
    }

    // MARK: - Structs

    private mutating func compareMembers(_ before: StructType, _ now: StructType) {
        let type = now.name.text
        let fieldOfName = Dictionary(now.fields.map { ($0.name.text, $0) }) { first, _ in first }
        let fieldOfID = Dictionary(now.fields.map { ($0.id, $0) }) { first, _ in first }
        let oldFields = Dictionary(before.fields.map { ($0.name.text, $0) }) { first, _ in first }
        var isReported = false
        for field in before.fields {
            let name = field.name.text
            let related = [(field.name.place, "field '\(name)' is here in the old schema")]
            guard let other = fieldOfName[name] else {
                isReported = true
                let renamed = fieldOfID[field.id].flatMap { oldFields[$0.name.text] == nil ? $0 : nil }
                report(
                    .structMemberRemoved,
                    "\(type).\(name)",
                    at: renamed?.name.place ?? now.name.place,
                    renamed.map { "field '\(name)' of '\(type)' is now '\($0.name.text)'" }
                        ?? "'\(type)' has no field '\(name)' any more",
                    old: related,
                    fix: renamed.map {
                        "declare a deprecated property '\(name)' that uses '\($0.name.text)', and an initializer with the "
                            + "argument '\(name)', in an extension of '\(type)'"
                    }
                        ?? "keep field '\(name)', and say in its description what replaces it",
                    remains: renamed != nil
                )
                continue
            }
            guard field.type.swiftName != other.type.swiftName else { continue }
            isReported = true
            report(
                .structMemberChanged,
                "\(type).\(name)",
                at: other.name.place,
                "field '\(name)' of '\(type)' was of type '\(field.type.swiftName)', and is now of type "
                    + "'\(other.type.swiftName)'",
                old: related,
                fix:
                    "set the type of field '\(name)' to '\(field.type.swiftName)' again, or give the new type a field "
                    + "of its own"
            )
        }
        let related = [(before.name.place, "the struct is here in the old schema")]
        // Calls of the initializer with a field that is gone or changed are part of that report.
        if !isReported { compareInitializers(before, now, oldFields, fieldOfName, related) }
        if before.isHashable, !now.isHashable {
            report(
                .hashableRemoved,
                type,
                at: now.name.place,
                "'\(type)' is no longer 'Hashable', because a field has an external type",
                old: related,
                fix: "give the field a type of the schema, or declare the conformance in an extension"
            )
        }
    }

    private mutating func compareInitializers(
        _ before: StructType,
        _ now: StructType,
        _ oldFields: [String: StructType.Field],
        _ newFields: [String: StructType.Field],
        _ related: [(place: Place, message: String)]
    ) {
        let type = now.name.text
        func report(_ field: StructType.Field, _ message: String, _ fix: String) {
            self.report(
                .structInitializerChanged,
                "\(type).\(field.name.text)",
                at: field.name.place,
                message,
                old: related,
                fix: fix
            )
        }
        for field in now.fields where field.defaultValue == nil {
            let name = field.name.text
            if let other = oldFields[name], other.defaultValue == nil { continue }
            report(
                field,
                "the initializer of '\(type)' requires a value for field '\(name)'",
                "give field '\(name)' a default"
            )
        }
        let order = before.fields.map(\.name.text)
        let newOrder = now.fields.filter { oldFields[$0.name.text] != nil }
        if let field = zip(order, newOrder).first(where: { $0 != $1.name.text })?.1 {
            report(
                field,
                "the fields of '\(type)' are in another order, and so are the arguments of its initializer",
                "declare new fields after the others, and those in their former order"
            )
        }
    }
}
