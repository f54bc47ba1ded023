package import PreferencesSchema

/// What is to be done about regions that are not as they should be.
package struct HostMending: Sendable {
    package enum Mode: Sendable {
        /// They are only reported.
        case check
        /// They are written, but for those that were edited by hand, which are reported.
        case update
        /// They are all written.
        case force
    }

    package var mode: Mode
    /// The command line that writes them, for messages.
    package var command: String
    /// Whether the schemas that were read are all that there are, so that regions of others belong to nothing.
    package var knowsAllSchemas: Bool

    package init(mode: Mode, command: String, knowsAllSchemas: Bool = false) {
        self.mode = mode
        self.command = command
        self.knowsAllSchemas = knowsAllSchemas
    }
}

extension HostFile {
    /// The regions that schemas want, put into the file.
    ///
    /// - Parameters:
    ///   - wanted: The regions that this file is to have.
    ///   - elsewhere: Those that other files are to have.
    ///   - schemas: The names of the schemas that were read. Regions of others are left alone, unless these are all.
    /// - Returns: The file's bytes, which differ from those that are there between markers and behind the last line
    ///   alone, and what is wrong. Where anything is, the bytes are not to be written.
    package func updated(
        with wanted: [HostRegion],
        elsewhere: [HostRegion] = [],
        of schemas: Set<String>,
        _ mending: HostMending
    ) -> (bytes: [UInt8], diagnostics: [Diagnostic]) {
        guard faults.isEmpty else { return (bytes, faults) }
        var diagnostics = unwantedRegions(beside: wanted, elsewhere: elsewhere, of: schemas, mending)
        var edits: [Edit] = []
        var addition: [UInt8] = []
        let markedRegions = Dictionary(regions.map { ($0.name, $0) }) { first, _ in first }
        for region in wanted {
            guard let marked = markedRegions[region.name] else {
                if mending.mode == .check {
                    diagnostics.append(missing(region, mending))
                } else {
                    addition += appended(region, isFirst: addition.isEmpty)
                }
                continue
            }
            guard let lines = region.lines(marked.form)?.map({ Array($0.utf8) }) else {
                diagnostics.append(misplaced(marked, region))
                continue
            }
            switch state(of: marked, expected: lines) {
            case .current: continue
            case .edited where mending.mode != .force: diagnostics.append(edited(marked, mending))
            case .stale where mending.mode == .check: diagnostics.append(stale(marked, mending))
            case .edited, .stale: edits += self.edits(of: marked, to: lines)
            }
        }
        return (applying(edits) + addition, diagnostics.inOrder)
    }

    /// The regions that the schemas that were read do not put into this file.
    package func unwantedRegions(
        beside wanted: [HostRegion],
        elsewhere: [HostRegion],
        of schemas: Set<String>,
        _ mending: HostMending
    ) -> [Diagnostic] {
        let wantedNames = Set(wanted.map(\.name))
        let unwanted = regions.filter { marked in
            (mending.knowsAllSchemas || schemas.contains(marked.schema)) && !wantedNames.contains(marked.name)
        }
        guard !unwanted.isEmpty else { return [] }
        let hosts = Dictionary(elsewhere.map { ($0.name, $0.host) }) { first, _ in first }
        // A region whose namespace is misspelt leaves another without one.
        let unmarked = Dictionary(grouping: wantedNames.subtracting(regions.map(\.name)), by: \.schema)
            .mapValues { $0.map(\.namespace).sorted() }
        var suggestions = Suggestions()
        return unwanted.map { marked in
            let lines = "delete lines \(marked.beginLine + 1) to \(marked.endLine + 1)"
            guard schemas.contains(marked.schema) else {
                let nearest = suggestions.nearest(to: marked.schema, among: schemas.sorted())
                return diagnostic(
                    .hostRegionUnwanted,
                    atLine: marked.beginLine,
                    "there is no \(marked.schema).preferences.json, so nothing goes here",
                    note: nearest.map { "did you mean '\($0)'? if not, \(lines)" } ?? "name another schema, or \(lines)"
                )
            }
            let nearest = suggestions.nearest(to: marked.namespace, among: unmarked[marked.schema] ?? [])
            return diagnostic(
                .hostRegionUnwanted,
                atLine: marked.beginLine,
                "nothing goes here of " + HostRegion.title(schema: marked.schema, namespace: marked.namespace),
                note: hosts[marked.name].map { "its 'host' is '\($0)': correct that, or \(lines) here" }
                    ?? nearest.map { "did you mean '\($0)'? if not, \(lines)" } ?? lines
            )
        }
    }
}

/// The schema and the namespace that a region is for.
private struct RegionName: Hashable {
    var schema: String
    var namespace: String
}

extension HostFile.MarkedRegion {
    fileprivate var name: RegionName { RegionName(schema: schema, namespace: namespace) }
}

extension HostRegion {
    fileprivate var name: RegionName { RegionName(schema: schema, namespace: namespace) }
}

// MARK: - What is there

extension HostFile {
    private enum State {
        case current
        /// It is what a generator wrote, or is to be filled for the first time.
        case stale
        case edited
    }

    private func state(of region: MarkedRegion, expected: [[UInt8]]) -> State {
        let lines = source.lines[region.beginLine + 1..<region.endLine].map(source.stripped)
        let checksum = RegionChecksum.checksum(of: lines)
        // Lines that are right already are nobody's loss, whatever the marker says.
        if lines == expected.map(SourceLines.stripped) { return region.checksum == checksum ? .current : .stale }
        let isUntouched = region.checksum.map { $0 == checksum } ?? lines.allSatisfy(\.isEmpty)
        return isUntouched ? .stale : .edited
    }

    private func stale(_ region: MarkedRegion, _ mending: HostMending) -> Diagnostic {
        diagnostic(
            .hostRegionStale,
            atLine: region.beginLine,
            region.checksum == nil
                ? "this region is not filled yet; run '\(mending.command)'"
                : "this region is not what \(region.schema).preferences.json says now; run '\(mending.command)'"
        )
    }

    private func edited(_ region: MarkedRegion, _ mending: HostMending) -> Diagnostic {
        diagnostic(
            .hostRegionEdited,
            atLine: region.beginLine,
            "this region was edited by hand; move out of it what is to stay, then run '\(mending.command) --force'"
        )
    }

    private func misplaced(_ marked: MarkedRegion, _ region: HostRegion) -> Diagnostic {
        diagnostic(
            .hostMarkers,
            atLine: marked.beginLine,
            "this region is inside the braces of a type, and the namespaces inside \(region.title) make protocols",
            note: "move both markers out of all braces"
        )
    }

    private func missing(_ region: HostRegion, _ mending: HostMending) -> Diagnostic {
        diagnostic(
            .hostRegionMissing,
            atLine: source.lines.count - 1,
            "this file has no region for \(region.title); run '\(mending.command)'"
        )
    }
}

// MARK: - What is written

extension HostFile {
    /// Bytes that take the place of others.
    private struct Edit {
        var range: Range<Int>
        var bytes: [UInt8]
    }

    private func edits(of region: MarkedRegion, to lines: [[UInt8]]) -> [Edit] {
        let begin = source.lines[region.beginLine]
        let end = source.lines[region.endLine]
        let indentation = bytes[begin.range.lowerBound..<source.indentationEnd(begin)]
        let checksum = RegionChecksum.checksum(of: lines.map(SourceLines.stripped))
        let marker = source.indentationEnd(end)
        return [
            Edit(
                range: begin.end.upperBound..<end.range.lowerBound,
                bytes: lines.flatMap { ($0.isEmpty ? [] : indentation + $0) + bytes[begin.end] }
            ),
            Edit(
                range: marker..<marker + source.stripped(end).count,
                bytes: Array(HostMarker.end(checksum: checksum).utf8)
            ),
        ]
    }

    /// A region of its own at the end of the file, behind an empty line.
    private func appended(_ region: HostRegion, isFirst: Bool) -> [UInt8] {
        let ending = source.lines.first.map { bytes[$0.end] }.flatMap { $0.isEmpty ? nil : Array($0) } ?? [0x0A]
        var added: [UInt8] = []
        if isFirst, let last = source.lines.last {
            let isEnded = last.range.isEmpty
            if !isEnded { added += ending }
            let lastText = isEnded ? source.lines.dropLast().last : last
            if let lastText, !source.stripped(lastText).isEmpty { added += ending }
        } else {
            added += ending
        }
        let lines = region.topLevelLines.map { Array($0.utf8) }
        let checksum = RegionChecksum.checksum(of: lines.map(SourceLines.stripped))
        for line in [Array(HostMarker.begin(region).utf8)] + lines + [Array(HostMarker.end(checksum: checksum).utf8)] {
            added += line + ending
        }
        return added
    }

    private func applying(_ edits: [Edit]) -> [UInt8] {
        var result: [UInt8] = []
        var offset = 0
        for edit in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            result += bytes[offset..<edit.range.lowerBound] + edit.bytes
            offset = edit.range.upperBound
        }
        return result + bytes[offset...]
    }
}
