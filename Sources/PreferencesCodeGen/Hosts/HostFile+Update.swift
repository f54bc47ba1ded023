package import PreferencesSchema

/// How to treat regions that do not match their schemas.
package struct HostUpdateOptions: Sendable {
    package enum Mode: Sendable {
        /// Reports them.
        case check
        /// Writes them, and reports those that were edited by hand.
        case update
        /// Writes all of them.
        case force
    }

    package var mode: Mode
    /// The command line that updates regions, for messages.
    package var command: String
    /// Whether the schemas are all schemas of the module, so that regions of other schemas are obsolete.
    package var coversAllSchemas: Bool

    package init(mode: Mode, command: String, coversAllSchemas: Bool = false) {
        self.mode = mode
        self.command = command
        self.coversAllSchemas = coversAllSchemas
    }
}

extension HostFile {
    /// Returns the file with its regions updated.
    ///
    /// - Parameters:
    ///   - wanted: The regions of this file.
    ///   - elsewhere: The regions of other files.
    ///   - schemas: The names of the schemas that were read. Regions of other schemas are ignored, unless these are all
    ///     schemas.
    /// - Returns: The bytes of the file, and the faults. If there are any, the bytes must not be written. Only text
    ///   between markers and after the last line changes.
    package func updated(
        with wanted: [HostRegion],
        elsewhere: [HostRegion] = [],
        of schemas: Set<String>,
        _ options: HostUpdateOptions
    ) -> (bytes: [UInt8], diagnostics: [Diagnostic]) {
        guard faults.isEmpty else { return (bytes, faults) }
        var diagnostics = unwantedRegions(beside: wanted, elsewhere: elsewhere, of: schemas, options)
        var edits: [Edit] = []
        var addition: [UInt8] = []
        let markedRegions = Dictionary(regions.map { ($0.name, $0) }) { first, _ in first }
        for region in wanted {
            guard let marked = markedRegions[region.name] else {
                if options.mode == .check {
                    diagnostics.append(missing(region, options))
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
            case .edited where options.mode != .force: diagnostics.append(edited(marked, options))
            case .stale where options.mode == .check: diagnostics.append(stale(marked, options))
            case .edited, .stale: edits += self.edits(of: marked, to: lines)
            }
        }
        return (applying(edits) + addition, diagnostics.inOrder)
    }

    /// Reports the regions of this file that the schemas do not have.
    package func unwantedRegions(
        beside wanted: [HostRegion],
        elsewhere: [HostRegion],
        of schemas: Set<String>,
        _ options: HostUpdateOptions
    ) -> [Diagnostic] {
        let wantedNames = Set(wanted.map(\.name))
        let unwanted = regions.filter { marked in
            (options.coversAllSchemas || schemas.contains(marked.schema)) && !wantedNames.contains(marked.name)
        }
        guard !unwanted.isEmpty else { return [] }
        let hosts = Dictionary(elsewhere.map { ($0.name, $0.host) }) { first, _ in first }
        // A misspelt namespace in a marker leaves the right one without a region.
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

/// The schema and the namespace of a region.
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
        /// Written by a generator, or to be filled for the first time.
        case stale
        case edited
    }

    private func state(of region: MarkedRegion, expected: [[UInt8]]) -> State {
        let lines = source.lines[region.beginLine + 1..<region.endLine].map(source.stripped)
        let checksum = RegionChecksum.checksum(of: lines)
        // Correct lines can be written again without loss, whatever the checksum is.
        if lines == expected.map(SourceLines.stripped) { return region.checksum == checksum ? .current : .stale }
        let isUntouched = region.checksum.map { $0 == checksum } ?? lines.allSatisfy(\.isEmpty)
        return isUntouched ? .stale : .edited
    }

    private func stale(_ region: MarkedRegion, _ options: HostUpdateOptions) -> Diagnostic {
        diagnostic(
            .hostRegionStale,
            atLine: region.beginLine,
            region.checksum == nil
                ? "this region is not filled yet; run '\(options.command)'"
                : "this region is out of date with \(region.schema).preferences.json; run '\(options.command)'"
        )
    }

    private func edited(_ region: MarkedRegion, _ options: HostUpdateOptions) -> Diagnostic {
        diagnostic(
            .hostRegionEdited,
            atLine: region.beginLine,
            "this region was edited by hand; move your edits out of it, then run '\(options.command) --force'"
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

    private func missing(_ region: HostRegion, _ options: HostUpdateOptions) -> Diagnostic {
        diagnostic(
            .hostRegionMissing,
            atLine: source.lines.count - 1,
            "this file has no region for \(region.title); run '\(options.command)'"
        )
    }
}

// MARK: - What is written

extension HostFile {
    /// A replacement of a range of bytes.
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

    /// Appends a region at the end of the file, after an empty line.
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

/// The checksum in an end marker, which distinguishes a region that was edited by hand from one that is out of date.
///
/// FNV-1a of 64 bits (Fowler, Noll and Vo; draft-eastlake-fnv, "The FNV Non-Cryptographic Hash Algorithm", §2 and §5)
/// over the region's lines without indentation and line ends, each followed by a line feed. Therefore neither a
/// formatter that changes the indentation nor Git's conversion of line ends counts as an edit.
enum RegionChecksum {
    static let digits = 16

    static func checksum(of lines: [[UInt8]]) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for line in lines {
            for byte in line + [UInt8(ascii: "\n")] {
                hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
            }
        }
        let text = String(hash, radix: 16)
        return String(repeating: "0", count: digits - text.utf8.count) + text
    }
}
