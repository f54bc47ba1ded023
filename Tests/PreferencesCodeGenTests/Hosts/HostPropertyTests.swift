import PreferencesCodeGen
import PreferencesSchema
import TestSupport
import Testing

/// Files of random lines and bytes, with markers at random places.
@Suite("Random host files")
struct HostPropertyTests {
    private static let wanted: [HostRegion] = [.weather, .radar, .sea]

    /// The pieces of lines: code, text that resembles code or markers, and unusual bytes.
    private static let text: [[UInt8]] =
        bytes([
            "struct A {", "}", "{", "extension W {", "final class B: C {", "    let x = 1", "\t", "    ", "é🌤",
            "// note", "/* x */", "\"text\"", "#\"raw \" text\"#", "let s = \"\\(a + \"b\")\"", "#if DEBUG", "#else",
            "#endif", "",
            "preferences:begin", "// preferences:beginning", "let r = /a{1}/", "x = y / z / w", "`class`", "(", ")",
        ]) + [[0x00], [0xEF, 0xBB, 0xBF]]

    /// Bytes that are not UTF-8. A file that contains them is not changed.
    private static let noText: [[UInt8]] = [[0xFF, 0xC0]]

    /// Pieces after which the rest of the file may not be code.
    private static let openings = bytes(["\"\"\"", "/*", "*/", "#\"\"\"", "\"", "\\(", "/", "#/"])

    private static func bytes(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }

    private static let ends: [[UInt8]] = [[0x0A], [0x0D, 0x0A], [0x0D]]

    /// A random host file, and its expected contents.
    private struct Sample {
        /// The text that must not change, before, between and after regions, with their markers.
        var outside: [[UInt8]] = [[]]
        /// The possible contents of each marked region, which is between two elements of `outside`.
        var contents: [[[UInt8]]] = []
        /// The former contents of each region.
        var former: [[UInt8]] = []
        /// Whether regions may be in comments and strings, where they are not regions.
        var usesOpenings = false
        /// The pieces of its lines.
        var pieces = text
        var bytes: [UInt8] = []
        var random: SeededRandom

        init(seed: UInt64) {
            random = SeededRandom(seed: seed)
            usesOpenings = Int.random(in: 0..<4, using: &random) == 0
            if Int.random(in: 0..<8, using: &random) == 0 { pieces += noText }
            let commonEnd = ends.randomElement(using: &random) ?? []
            var regions = wanted.shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random))
            for _ in 0..<Int.random(in: 0...30, using: &random) {
                let isMixed = Int.random(in: 0..<5, using: &random) == 0
                let end = isMixed ? ends.randomElement(using: &random) ?? [] : commonEnd
                if Int.random(in: 0..<8, using: &random) == 0, let region = regions.popFirst() {
                    appendRegion(region, end)
                } else {
                    appendLine(from: usesOpenings ? pieces + openings : pieces)
                    append(end)
                }
            }
            if Bool.random(using: &random) { appendLine(from: pieces) }
        }

        private mutating func append(_ more: [UInt8]) {
            bytes += more
            outside[outside.count - 1] += more
        }

        private mutating func appendLine(from pieces: [[UInt8]]) {
            for _ in 0..<Int.random(in: 0...3, using: &random) { append(pieces.randomElement(using: &random) ?? []) }
        }

        private mutating func appendRegion(_ region: HostRegion, _ end: [UInt8]) {
            let indentation = [UInt8](repeating: 0x20, count: [0, 0, 2, 4].randomElement(using: &random) ?? 0)
            append(indentation + Array("// preferences:begin \(region.schema) \(region.namespace)".utf8) + end)
            // The region may be empty, or contain anything.
            let count = Bool.random(using: &random) ? 0 : Int.random(in: 1...3, using: &random)
            let content = (0..<count).flatMap { _ in (pieces.randomElement(using: &random) ?? []) + end }
            bytes += content
            former.append(content)
            let members = region.memberLines ?? []
            let forms = [region.topLevelLines, members, members.map { $0.replacing("nonmutating ", with: "") }]
            contents.append(
                forms.map { lines in lines.flatMap { ($0.isEmpty ? [] : indentation + Array($0.utf8)) + end } }
            )
            outside.append([])
            append(indentation + Array("// preferences:end".utf8))
            outside.append([])
            append(end)
        }

        /// Whether the bytes are those of the sample with one of the possible contents and a checksum in each region,
        /// and possibly with missing regions at the end.
        func isUpdated(to updated: [UInt8]) -> Bool {
            var rest = updated[...]
            func skip(_ piece: [UInt8]) -> Bool {
                guard rest.starts(with: piece) else { return false }
                rest = rest.dropFirst(piece.count)
                return true
            }
            guard skip(outside[0]) else { return false }
            for index in contents.indices {
                let marker = outside[2 * index + 1]
                if let content = contents[index].first(where: { rest.starts(with: $0 + marker) }) {
                    rest = rest.dropFirst(content.count + marker.count)
                    let checksum = rest.prefix(17)
                    guard checksum.first == 0x20, checksum.dropFirst().allSatisfy({ $0 >= 0x30 && $0 < 0x67 })
                    else { return false }
                    rest = rest.dropFirst(checksum.count)
                } else if !usesOpenings || !skip(former[index] + marker) {
                    return false
                }
                guard skip(outside[2 * index + 2]) else { return false }
            }
            let areAllThere = contents.count == wanted.count
            if rest.isEmpty { return areAllThere }
            let addition = rest.drop { $0 == 0x0A || $0 == 0x0D }
            return (!areAllThere || usesOpenings) && addition.starts(with: Array("// preferences:begin".utf8))
        }
    }

    @Test("An update changes regions only, and a second update changes nothing")
    func update() {
        var updates = 0
        for seed in 0..<1_000 as Range<UInt64> {
            let sample = Sample(seed: seed)
            let file = HostFile(path: "Host.swift", bytes: sample.bytes)
            let schemas: Set<String> = ["Weather", "My Sea"]
            func run(_ file: HostFile, _ mode: HostUpdateOptions.Mode) -> (bytes: [UInt8], diagnostics: [Diagnostic]) {
                file.updated(with: Self.wanted, of: schemas, HostUpdateOptions(mode: mode, command: "fix"))
            }
            let checked = run(file, .check)
            #expect(checked.bytes == sample.bytes, "seed \(seed)")

            let (bytes, diagnostics) = run(file, .force)
            guard diagnostics.isEmpty else { continue }
            updates += 1
            #expect(sample.isUpdated(to: bytes), "seed \(seed)")
            let updated = HostFile(path: "Host.swift", bytes: bytes)
            #expect(run(updated, .check).diagnostics == [], "seed \(seed)")
            #expect(run(updated, .update) == (bytes, []), "seed \(seed)")
        }
        // Most regions are updated, but not after an unterminated string or comment, or if a file is not UTF-8.
        #expect(updates > 700)
    }

    @Test("Random bytes are not changed")
    func bytes() {
        for seed in 0..<300 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            let alphabet = Array("{}()\"#/\\*`\n\r i".utf8) + [0xFF, 0x00]
            let bytes = (0..<Int.random(in: 0...400, using: &random)).compactMap { _ in
                alphabet.randomElement(using: &random)
            }
            let file = HostFile(path: "Host.swift", bytes: bytes)
            let options = HostUpdateOptions(mode: .force, command: "fix")
            let (updated, diagnostics) = file.updated(with: Self.wanted, of: ["Weather"], options)
            #expect(updated.starts(with: bytes))
            #expect(diagnostics.isEmpty == (updated != bytes))
        }
    }
}
