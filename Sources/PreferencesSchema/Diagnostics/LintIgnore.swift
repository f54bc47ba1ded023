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

/// Ranges of which any two are apart or one in the other, as those of JSON values are.
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

    /// The innermost range that a place is in.
    func innermost(at place: Int) -> Int? {
        // The last that begins before the place, or one around that.
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
    /// The findings without those that are ignored, and with the ignores that ignore nothing.
    func ignoring(_ ignores: [LintIgnore]) -> [Finding] {
        guard !ignores.isEmpty else { return self }
        let byKind = Dictionary(grouping: ignores.indices) { index in
            FindingKind(source: ignores[index].place.source, rule: ignores[index].rule)
        }.mapValues { indices in NestedRanges(indices.map { (ignores[$0].object, $0) }) }
        var used: Set<Int> = []
        let reported = filter { finding in
            let kind = FindingKind(source: finding.place.source, rule: finding.rule)
            // The innermost is the one that it takes.
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
                    message: "nothing here would be reported by '\(id)'",
                    notes: [.init(message: "take it out of 'ignore'")]
                )
            }
    }
}
