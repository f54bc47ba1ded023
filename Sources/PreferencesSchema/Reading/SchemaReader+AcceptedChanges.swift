extension SchemaReader {
    /// Reads the `acceptedChanges` of all files, each once. Only the comparison of schemas uses them.
    mutating func readAcceptedChanges() -> [AcceptedChange] {
        struct Identity: Hashable {
            var rule: ChangeRule
            var subject: String
            var reason: String
        }
        var places: [Identity: Place] = [:]
        var changes: [AcceptedChange] = []
        for file in files.indices {
            guard let node = files[file].fields?["acceptedChanges"] else { continue }
            source = file
            for element in elements(of: node, what: "'acceptedChanges'") ?? [] {
                guard let change = readAcceptedChange(element) else { continue }
                let identity = Identity(rule: change.rule, subject: change.subject, reason: change.reason)
                if let first = places[identity] {
                    report(
                        .duplicateElement,
                        at: element.range,
                        "this change of '\(change.subject)' is accepted twice for the same reason",
                        other: first,
                        "the first one is here"
                    )
                    continue
                }
                places[identity] = change.place
                changes.append(change)
            }
        }
        return changes
    }

    private mutating func readAcceptedChange(_ node: JSONNode) -> AcceptedChange? {
        guard let fields = fields(of: node, .acceptedChange) else { return nil }
        var texts: [String: String] = [:]
        for name in ObjectKind.acceptedChangeFields {
            if fields.isMissing(name) {
                report(.missingField, at: node.range, "an accepted change has no '\(name)'")
            } else if let field = fields[name], let text = string(field, what: "'\(name)'") {
                if text.isBlank {
                    report(.missingField, at: field.range, "the '\(name)' of an accepted change must not be empty")
                } else if name == "reason", !text.hasLetterOrDigit {
                    // Reports suggest an acceptance with an ellipsis in its place.
                    report(
                        .missingField,
                        at: field.range,
                        "'\(text)' is no reason of an accepted change; say why it does no harm"
                    )
                } else {
                    texts[name] = text
                }
            }
        }
        var rule: ChangeRule?
        if let id = texts["rule"], let field = fields["rule"] {
            rule = ChangeRule(rawValue: id)
            if rule == nil {
                let ids = ChangeRule.allCases.map(\.rawValue)
                report(
                    .unknownRule,
                    at: field.range,
                    "there is no rule '\(id)' about changes",
                    note: suggestions.nearest(to: id, among: ids).map { "did you mean '\($0)'?" }
                        ?? "'prefs schema rules' lists the rules"
                )
            }
        }
        guard let rule, let subject = texts["subject"], let reason = texts["reason"] else { return nil }
        return AcceptedChange(rule: rule, subject: subject, reason: reason, place: place(node.range))
    }
}

extension String {
    fileprivate var hasLetterOrDigit: Bool { contains { $0.isLetter || $0.isNumber } }
}
