import PreferencesCodeGen
import PreferencesSchema
import TestSupport
import Testing

/// Files of random lines and bytes, with markers at random places.
@Suite("Any host file")
struct HostPropertyTests {
    private static let wanted: [HostRegion] = [.weather, .radar, .sea]

    /// Pieces that lines are made of: code, what could mislead a reader of it, and bytes that are hardly text.
    private static let text: [[UInt8]] =
        bytes([
            "struct A {", "}", "{", "extension W {", "final class B: C {", "    let x = 1", "\t", "    ", "é🌤",
            "// note", "/* x */", "\"text\"", "#\"raw \" text\"#", "let s = \"\\(a + \"b\")\"", "#if DEBUG", "#else",
            "#endif", "",
            "preferences:begin", "// preferences:beginning", "let r = /a{1}/", "x = y / z / w", "`class`", "(", ")",
        ]) + [[0x00], [0xEF, 0xBB, 0xBF]]

    /// No UTF-8, in which case the whole file is left alone.
    private static let noText: [[UInt8]] = [[0xFF, 0xC0]]

    /// Pieces after which what follows may be no code.
    private static let openings = bytes(["\"\"\"", "/*", "*/", "#\"\"\"", "\"", "\\(", "/", "#/"])

    private static func bytes(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }

    private static let ends: [[UInt8]] = [[0x0A], [0x0D, 0x0A], [0x0D]]

    /// A file, and what is to become of it.
    private struct Sample {
        /// What is to stay: everything before and behind regions, and between two of them, each with its markers.
        var outside: [[UInt8]] = [[]]
        /// What each region that is marked may have, between the two of `outside` that it stands between.
        var contents: [[[UInt8]]] = []
        /// What each has so far.
        var former: [[UInt8]] = []
        /// Whether comments and strings may be around regions, which are none then.
        var usesOpenings = false
        /// What its lines are made of.
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
            // What stands there may be empty, or anything at all.
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

        /// Whether the bytes are those of the sample with a content in each region, a checksum behind it, and perhaps
        /// regions that were missing behind it all.
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

    @Test("is the same outside of its regions after an update, which a second one does not change")
    func update() {
        var updates = 0
        for seed in 0..<1_000 as Range<UInt64> {
            let sample = Sample(seed: seed)
            let file = HostFile(path: "Host.swift", bytes: sample.bytes)
            let schemas: Set<String> = ["Weather", "My Sea"]
            func run(_ file: HostFile, _ mode: HostMending.Mode) -> (bytes: [UInt8], diagnostics: [Diagnostic]) {
                file.updated(with: Self.wanted, of: schemas, HostMending(mode: mode, command: "mend"))
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
        // Most are updated; where a string or a comment that never ends was begun, or in what is no UTF-8, none can be.
        #expect(updates > 700)
    }

    @Test("that is only bytes does no harm")
    func bytes() {
        for seed in 0..<300 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            let alphabet = Array("{}()\"#/\\*`\n\r i".utf8) + [0xFF, 0x00]
            let bytes = (0..<Int.random(in: 0...400, using: &random)).compactMap { _ in
                alphabet.randomElement(using: &random)
            }
            let file = HostFile(path: "Host.swift", bytes: bytes)
            let mending = HostMending(mode: .force, command: "mend")
            let (updated, diagnostics) = file.updated(with: Self.wanted, of: ["Weather"], mending)
            #expect(updated.starts(with: bytes))
            #expect(diagnostics.isEmpty == (updated != bytes))
        }
    }
}
