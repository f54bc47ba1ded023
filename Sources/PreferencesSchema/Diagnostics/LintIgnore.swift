/// A rule that an object's `lint` suppresses.
struct LintIgnore {
    var rule: Rule
    /// The place that names the rule.
    var place: Place
    /// The range of the object, including its name.
    var object: Range<Int>
}

extension SchemaReader {
    /// Reads the `lint` of an object.
    ///
    /// - Parameter name: The range of the object's name, or nil for a file, which has none.
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
                    note: nearest.map { "did you mean '\($0)'?" }
                        ?? "the rules that can be ignored are \(ids.quotedList)"
                )
                continue
            }
            guard rule.isIgnorable else {
                report(
                    .ruleNotIgnorable,
                    at: name.place.range,
                    rule.severity == .warning
                        ? "'\(name.text)' cannot be ignored: remove the unused rules from 'ignore' instead"
                        : "'\(name.text)' cannot be ignored: nothing is generated from a schema with errors"
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

/// Ranges of which any two are disjoint or nested, like those of JSON values.
private struct NestedRanges {
    private var ranges: [(range: Range<Int>, id: Int, outer: Int?)] = []

    init(_ unsorted: [(range: Range<Int>, id: Int)]) {
        var open: [Int] = []
        let sorted = unsorted.sorted {
            ($0.range.lowerBound, $1.range.upperBound, $1.id) < ($1.range.lowerBound, $0.range.upperBound, $0.id)
        }
        for (range, id) in sorted {
            while let last = open.last, ranges[last].range.upperBound <= range.lowerBound { open.removeLast() }
            ranges.append((range, id, open.last))
            open.append(ranges.count - 1)
        }
    }

    /// Returns the innermost range that contains a place.
    func innermost(at place: Int) -> Int? {
        // The candidates are the last range that begins at or before the place, and those around it.
        var bounds = ranges.startIndex..<ranges.endIndex
        while !bounds.isEmpty {
            let middle = bounds.lowerBound + bounds.count / 2
            let isBefore = ranges[middle].range.lowerBound <= place
            bounds = isBefore ? middle + 1..<bounds.upperBound : bounds.lowerBound..<middle
        }
        var candidate = bounds.lowerBound > 0 ? bounds.lowerBound - 1 : nil
        while let index = candidate, !ranges[index].range.contains(place) { candidate = ranges[index].outer }
        return candidate.map { ranges[$0].id }
    }
}

extension [Finding] {
    /// Returns the findings that are not suppressed, and findings about ignores that suppress nothing.
    func ignoring(_ ignores: [LintIgnore]) -> [Finding] {
        guard !ignores.isEmpty else { return self }
        let byKind = Dictionary(grouping: ignores.indices) { index in
            FindingKind(source: ignores[index].place.source, rule: ignores[index].rule)
        }.mapValues { indices in NestedRanges(indices.map { (ignores[$0].object, $0) }) }
        var used: Set<Int> = []
        let reported = filter { finding in
            let kind = FindingKind(source: finding.place.source, rule: finding.rule)
            // The innermost ignore suppresses the finding.
            guard let index = byKind[kind]?.innermost(at: finding.place.range.lowerBound) else { return true }
            used.insert(index)
            return false
        }
        return reported
            + ignores.indices.filter { !used.contains($0) }.map { index in
                let id = ignores[index].rule.rawValue
                return Finding(
                    rule: .unusedIgnore,
                    place: ignores[index].place,
                    message: "'\(id)' reports nothing here",
                    notes: [.init(message: "remove it from 'ignore'")]
                )
            }
    }
}
