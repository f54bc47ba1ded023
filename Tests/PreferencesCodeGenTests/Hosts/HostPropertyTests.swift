import PreferencesCodeGen
import PreferencesSchema
import TestSupport
import Testing

/// Files of random lines and bytes, with markers at random places.
@Suite("Any host file")
struct HostPropertyTests {
    private static let wanted: [HostRegion] = [.weather, .radar, .sea]

    /// Pieces that lines are made of: code, what could mislead a reader of it, and bytes that are no text.
    private static let pieces: [[UInt8]] =
        [
            "struct A {", "}", "{", "extension W {", "final class B: C {", "    let x = 1", "\t", "    ", "é🌤", "// note",
            "/* x */", "\"text\"", "#\"raw \" text\"#", "let s = \"\\(a + \"b\")\"", "#if DEBUG", "#else", "#endif", "",
            "preferences:begin", "// preferences:beginning", "let r = /a{1}/", "x = y / z / w", "`class`", "(", ")",
        ].map { Array($0.utf8) } + [[0xFF, 0xC0], [0x00], [0xEF, 0xBB, 0xBF]]

    /// Pieces after which what follows may be no code.
    private static let openings: [[UInt8]] = ["\"\"\"", "/*", "*/", "#\"\"\"", "\"", "\\(", "/", "#/"].map { Array($0.utf8) }

    private static let ends: [[UInt8]] = [[0x0A], [0x0D, 0x0A], [0x0D]]

    private struct Sample {
        /// What is to stay: everything before, between and behind regions.
        var outside: [[UInt8]] = [[]]
        var bytes: [UInt8] = []
        var random: SeededRandom

        init(seed: UInt64) {
            random = SeededRandom(seed: seed)
            let usesOpenings = Int.random(in: 0..<4, using: &random) == 0
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
            for _ in 0..<[0, 0, 1, 3].randomElement(using: &random)! {
                bytes += (pieces.randomElement(using: &random) ?? []) + end
            }
            outside.append([])
            append(indentation + Array("// preferences:end".utf8))
            // The checksum is between the markers.
            outside.append([])
            append(end)
        }
    }

    /// Whether the pieces stand in the bytes in their order, beginning with the first and with only generated lines
    /// behind the last.
    private func stands(_ outside: [[UInt8]], in bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        guard rest.starts(with: outside[0]) else { return false }
        rest = rest.dropFirst(outside[0].count)
        for piece in outside.dropFirst() {
            guard let start = rest.indices.first(where: { rest[$0...].starts(with: piece) }) else { return false }
            rest = rest[start...].dropFirst(piece.count)
        }
        return true
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
            #expect(stands(sample.outside, in: bytes), "seed \(seed)")
            let updated = HostFile(path: "Host.swift", bytes: bytes)
            #expect(run(updated, .check).diagnostics == [], "seed \(seed)")
            #expect(run(updated, .update) == (bytes, []), "seed \(seed)")
        }
        // Most are updated; where a string or a comment that never ends was begun, none can be.
        #expect(updates > 700)
    }

    @Test("that is only bytes does no harm")
    func bytes() {
        for seed in 0..<300 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            let alphabet = Array("{}()\"#/\\*`\n\r i".utf8) + [0xFF, 0x00]
            let bytes = (0..<Int.random(in: 0...400, using: &random)).compactMap { _ in alphabet.randomElement(using: &random) }
            let file = HostFile(path: "Host.swift", bytes: bytes)
            let mending = HostMending(mode: .force, command: "mend")
            let (updated, diagnostics) = file.updated(with: Self.wanted, of: ["Weather"], mending)
            #expect(updated.starts(with: bytes))
            #expect(diagnostics.isEmpty == (updated != bytes))
        }
    }
}
