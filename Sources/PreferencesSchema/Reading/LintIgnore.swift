import PreferencesJSON

/// What an object's `lint` says not to report of it.
struct LintIgnore {
    var rule: Rule
    /// Where the rule is named.
    var place: Place
    /// The object, with its name.
    var object: Range<Int>
}

extension SchemaReader {
    /// Reads the `lint` of an object.
    ///
    /// - Parameter name: Where the object's name begins; nil for a file, which has none.
    mutating func readLint(_ fields: Fields, name: Range<Int>? = nil) {
        guard let node = fields["lint"], let lint = self.fields(of: node, .lint) else { return }
        let object = (name?.lowerBound ?? fields.place.lowerBound)..<fields.place.upperBound
        let ids = Rule.allCases.filter(\.isIgnorable).map(\.rawValue)
        for name in strings(lint["ignore"], what: "ignore") {
            guard let rule = Rule(rawValue: name.text) else {
                let nearest = suggestions.nearest(to: name.text, among: ids)
                report(
                    .unknownRule,
                    at: name.place.range,
                    "there is no rule '\(name.text)'",
                    note: nearest.map { "did you mean '\($0)'?" } ?? "those that can be ignored are \(ids.quotedList)"
                )
                continue
            }
            guard rule.isIgnorable else {
                report(
                    .ruleNotIgnorable,
                    at: name.place.range,
                    rule.severity == .warning
                        ? "'\(name.text)' cannot be ignored: take out of 'ignore' what it finds there"
                        : "'\(name.text)' cannot be ignored: what it finds cannot be generated"
                )
                continue
            }
            ignores.append(LintIgnore(rule: rule, place: name.place, object: object))
        }
    }
}

private struct FindingKind: Hashable {
    var source: Int
    var rule: Rule
}

extension [Finding] {
    /// The findings without those that are ignored, and with the ignores that ignore nothing.
    func ignoring(_ ignores: [LintIgnore]) -> [Finding] {
        guard !ignores.isEmpty else { return self }
        let byKind = Dictionary(grouping: ignores.indices) { index in
            FindingKind(source: ignores[index].place.source, rule: ignores[index].rule)
        }
        var used: Set<Int> = []
        let reported = filter { finding in
            let kind = FindingKind(source: finding.place.source, rule: finding.rule)
            let matching = (byKind[kind] ?? []).filter { ignores[$0].object.contains(finding.place.range.lowerBound) }
            // The innermost is the one that it takes.
            if let index = matching.min(by: { ignores[$0].object.count < ignores[$1].object.count }) {
                used.insert(index)
            }
            return matching.isEmpty
        }
        return reported
            + ignores.indices.filter { !used.contains($0) }.map { index in
                let id = ignores[index].rule.rawValue
                return Finding(
                    rule: .unusedIgnore,
                    place: ignores[index].place,
                    message: "nothing here would be reported by '\(id)'",
                    notes: [.init(message: "take it out of 'ignore'")]
                )
            }
    }
}
