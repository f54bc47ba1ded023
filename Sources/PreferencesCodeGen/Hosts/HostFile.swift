package import PreferencesSchema

/// A hand-written Swift file and its marked regions.
package struct HostFile {
    /// The path in diagnostics.
    package let path: String
    package var bytes: [UInt8] { source.bytes }

    let source: SourceLines
    private(set) var regions: [MarkedRegion] = []
    /// The faults of the markers. If there are any, the regions are unreliable.
    package private(set) var faults: [Diagnostic] = []

    /// The lines between two markers.
    struct MarkedRegion {
        var schema: String
        var namespace: String
        var beginLine: Int
        var endLine: Int
        var checksum: String?
        var form: Form
    }

    /// The form of a region's lines.
    enum Form {
        case topLevel
        /// Accessors only, inside the braces of a type or an extension.
        case members(inReferenceType: Bool)
    }

    package init(path: String, bytes: [UInt8]) {
        self.path = path
        source = SourceLines(bytes)
        guard String(validating: bytes, as: UTF8.self) != nil else {
            let line = source.lines.firstIndex { String(validating: bytes[$0.range], as: UTF8.self) == nil }
            report(.hostEncoding, atLine: line ?? 0, "the file is not UTF-8", note: "save it as UTF-8")
            return
        }
        pair(source.markers)
        if let offset = source.unterminated {
            let message = "what begins here never ends, so that no marker behind it can be found"
            let position = ScalarTable(bytes).position(at: offset)
            faults.append(Diagnostic(rule: .hostMarkers, path: path, position: position, message: message))
        }
    }

    private mutating func pair(_ markers: [HostMarker]) {
        /// The begin markers that have no end marker yet.
        var open: [HostMarker] = []
        /// The regions that begin inside other regions, with the lines of both, innermost last.
        var nested: [(line: Int, outer: Int)] = []
        for marker in markers {
            reportFaults(of: marker)
            if marker.isBegin {
                if let outer = open.last { nested.append((marker.line, outer.line)) }
                open.append(marker)
            } else if let begin = open.popLast() {
                close(begin, with: marker)
            } else {
                report(.hostMarkers, at: marker, "no region begins before this end of one")
            }
        }
        let unended = Set(open.map(\.line))
        let firstInner = Dictionary(nested.map { ($0.outer, $0.line) }) { first, _ in first }
        for begin in open {
            report(
                .hostMarkers,
                at: begin,
                "this region has no '\(HostMarker.endSpelling)'"
                    + (firstInner[begin.line].map { " before another begins in line \($0 + 1)" } ?? ""),
                note: "put that behind the region's last line, or delete the region: it is written anew"
            )
        }
        // If the outer region has no end, the inner one is sound.
        for pair in nested where !unended.contains(pair.outer) {
            report(
                .hostMarkers,
                atLine: pair.line,
                "a region begins here inside the one of line \(pair.outer + 1); regions must not overlap"
            )
        }
        reportDoubles()
        faults = faults.inOrder
    }

    private mutating func reportFaults(of marker: HostMarker) {
        switch marker.content {
        case _ where marker.place.isBehindCode:
            report(.hostMarkers, at: marker, "a marker must be alone in its line", note: "put it on a line of its own")
        case .faultyBegin:
            report(
                .hostMarkers,
                at: marker,
                "a region begins with '\(HostMarker.beginSpelling)'",
                note: "as in '// preferences:begin Weather weather.radar'; NAMESPACE is '-' for keys in none"
            )
        case .faultyEnd:
            report(
                .hostMarkers,
                at: marker,
                "a region ends with '\(HostMarker.endSpelling)' and the checksum that the generator put there",
                note: "write '\(HostMarker.endSpelling)' alone, and have the region filled"
            )
        case .begin, .end: break
        }
    }

    private mutating func close(_ begin: HostMarker, with end: HostMarker) {
        guard case .begin(let schema, let namespace) = begin.content, case .end(let checksum) = end.content
        else { return }
        let line = source.lines[begin.line]
        let isAtMargin = begin.place.offset == line.range.lowerBound
        // In a file that ends inside a type, the braces around a region are unreliable.
        if source.isBalanced, let brace = line.brace { reportPlace(of: begin, in: brace, isAtMargin: isAtMargin) }
        regions.append(
            MarkedRegion(
                schema: schema,
                namespace: namespace,
                beginLine: begin.line,
                endLine: end.line,
                checksum: checksum,
                form: isAtMargin || line.brace == nil
                    ? .topLevel : .members(inReferenceType: source.isInReferenceType(line))
            )
        )
    }

    /// Reports a region whose declarations do not compile at its place.
    private mutating func reportPlace(of begin: HostMarker, in brace: SourceLines.Brace, isAtMargin: Bool) {
        switch brace {
        case .code:
            report(
                .hostMarkers,
                at: begin,
                "this region is inside a function, an accessor or a closure, where its accessors belong to no type",
                note: "move both markers into the braces of a type or an extension, or out of all braces"
            )
        case .protocol:
            report(
                .hostMarkers,
                at: begin,
                "this region is inside a protocol, whose members cannot have bodies",
                note: "move both markers into an extension of the protocol, or out of all braces"
            )
        case .reference, .value, .extension:
            guard isAtMargin else { return }
            report(
                .hostMarkers,
                at: begin,
                "this region is at the margin, where it has an extension of its own, and inside the braces of a type",
                note: "indent both markers to have the accessors alone, or move them out of all braces"
            )
        }
    }

    private mutating func reportDoubles() {
        var first: [String: Int] = [:]
        for region in regions.sorted(by: { $0.beginLine < $1.beginLine }) {
            let title = HostRegion.title(schema: region.schema, namespace: region.namespace)
            if let line = first[title] {
                report(
                    .hostMarkers,
                    atLine: region.beginLine,
                    "there is a region for \(title) in line \(line + 1) already"
                )
            } else {
                first[title] = region.beginLine
            }
        }
    }
}

extension HostFile {
    /// The position of the first visible character of a line.
    func position(ofLine line: Int) -> TextPosition {
        let line = (number: line, bytes: source.lines[line])
        return TextPosition(
            line: line.number + 1,
            column: source.indentationEnd(line.bytes) - line.bytes.range.lowerBound + 1
        )
    }

    private mutating func report(_ rule: Rule, at marker: HostMarker, _ message: String, note: String? = nil) {
        let before = source.bytes[source.lines[marker.line].range.lowerBound..<marker.place.offset]
        let scalarCount = before.count { $0 & 0b1100_0000 != 0b1000_0000 }
        let position = TextPosition(line: marker.line + 1, column: before.count + 1, scalarColumn: scalarCount + 1)
        faults.append(diagnostic(rule, at: position, message, note: note))
    }

    private mutating func report(_ rule: Rule, atLine line: Int, _ message: String, note: String? = nil) {
        faults.append(diagnostic(rule, atLine: line, message, note: note))
    }

    func diagnostic(_ rule: Rule, atLine line: Int, _ message: String, note: String? = nil) -> Diagnostic {
        diagnostic(rule, at: position(ofLine: line), message, note: note)
    }

    private func diagnostic(_ rule: Rule, at position: TextPosition, _ message: String, note: String?) -> Diagnostic {
        Diagnostic(
            rule: rule,
            path: path,
            position: position,
            message: message,
            notes: note.map { [Diagnostic.Note(path: path, position: position, message: $0)] } ?? []
        )
    }
}
