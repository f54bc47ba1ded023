import Foundation
import PreferencesJSON
import TestSupport
import Testing

@Suite("Hostile input")
struct HostileInputTests {
    @Test("A string of 100 MB is read")
    func longString() throws {
        let count = 100_000_000
        var bytes = [UInt8](repeating: UInt8(ascii: "a"), count: count + 2)
        bytes[0] = UInt8(ascii: "\"")
        bytes[count + 1] = UInt8(ascii: "\"")
        let root = try JSONReader.parse(bytes)
        #expect(root.range == 0..<count + 2)
        guard case .string(let text) = root.content else {
            Issue.record("no string")
            return
        }
        #expect(text.utf8.count == count)
    }

    @Test("A fault after a string of 100 MB has the right position")
    func faultAfterLongString() {
        let bytes =
            Array("[\n\"".utf8) + [UInt8](repeating: UInt8(ascii: "a"), count: 100_000_000) + Array("\"\n,]".utf8)
        let faults = JSONReader.read(bytes).faults
        #expect(faults == [JSONSyntaxError(.trailingComma, at: 100_000_005)])
        #expect(LineTable(bytes).position(at: faults[0].offset) == TextPosition(line: 3, column: 1))
    }

    @Test(
        "100,000 levels of nesting are refused at the first beyond the limit",
        arguments: [("[", 128), (#"{"":"#, 512), (#"[{"a":"#, 384)]
    )
    func deepNesting(opening: String, offset: Int) {
        let bytes = Array(repeatElement(opening.utf8, count: 100_000).joined())
        #expect(JSONReader.read(bytes).faults == [JSONSyntaxError(.nestedTooDeep, at: offset)])
    }

    @Test("The deepest nesting that is accepted fits the stack of a secondary thread on Apple platforms")
    func deepestNesting() async {
        let levels = JSONReader.maximumDepth / 2
        let text = String(repeating: #"[{"a":"#, count: levels) + "0" + String(repeating: "}]", count: levels)
        let faults = await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: JSONReader.read(Array(text.utf8)).faults) }
            thread.stackSize = 512 * 1024
            thread.start()
        }
        #expect(faults.isEmpty)
    }

    @Test("An object of 200,000 members is read")
    func manyMembers() throws {
        let text = "{" + (0..<200_000).map { "\"key\($0)\":0" }.joined(separator: ",") + "}"
        guard case .object(let members) = try JSONReader.parse(Array(text.utf8)).content else {
            Issue.record("no object")
            return
        }
        #expect(members.count == 200_000)
    }

    @Test("Random bytes are either a value or have a fault at an offset within them", arguments: 0..<8 as Range<UInt64>)
    func randomBytes(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<500 {
            let count = Int.random(in: 0...64, using: &random)
            expectSound((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
        }
    }

    @Test("Random pieces of JSON are either a value or have a fault", arguments: 0..<8 as Range<UInt64>)
    func randomPieces(seed: UInt64) {
        let pieces =
            [
                "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\ud83d", "d800", "true", "nul", "-", "0", "1.", "e+",
                "/*",
                "*/", "//", "\n", "\r", "\t", " ", "é", "\u{FEFF}", "\"a\"", "\u{0}",
            ].map { Array($0.utf8) } + [[0xC0], [0xED, 0xA0, 0x80], [0xF5]]
        var random = SeededRandom(seed: seed)
        for _ in 0..<500 {
            let count = Int.random(in: 1...24, using: &random)
            expectSound((0..<count).flatMap { _ in pieces.randomElement(using: &random) ?? [] })
        }
    }

    @Test("A text cut off at any byte has a fault")
    func truncations() {
        let bytes = Array(Self.sample.utf8)
        for length in 0..<bytes.count {
            let result = JSONReader.read(Array(bytes[..<length]))
            #expect(result.root == nil && !result.faults.isEmpty, "cut off after \(length) bytes")
            expectSound(Array(bytes[..<length]))
        }
    }

    @Test("A text with one changed byte is either a value or has a fault")
    func mutations() {
        var bytes = Array(Self.sample.utf8)
        let replacements: [UInt8] = Array("\"\\{}[]:,0-e. /*\n\r\t".utf8) + [0x00, 0x7F, 0x80, 0xC3, 0xED, 0xF0, 0xFF]
        for index in bytes.indices {
            let original = bytes[index]
            for replacement in replacements {
                bytes[index] = replacement
                expectSound(bytes)
            }
            bytes[index] = original
        }
    }

    @Test("A text with one byte removed or doubled is either a value or has a fault")
    func insertionsAndRemovals() {
        let bytes = Array(Self.sample.utf8)
        for index in bytes.indices {
            expectSound(Array(bytes[..<index] + bytes[(index + 1)...]))
            expectSound(Array(bytes[...index] + bytes[index...]))
        }
    }

    private static let sample = #"""
        {
          "é": [1, -2.5e+3, "a\n\u00e9\ud83d\ude00", true, false, null],
          "namespaces": { "weather": { "keys": {}, "list": [[], {}] } }
        }
        """#

    /// Expects either a value or faults, which are sorted and within the text.
    private func expectSound(_ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) {
        let result = JSONReader.read(bytes)
        let offsets = result.faults.map(\.offset)
        let outlined = Result { try JSONOutline(bytes) }.map { _ in true }
        let parsed = Result { try JSONReader.parse(bytes) }.map { _ in true }
        #expect("\(outlined)" == "\(parsed)", "the outline of \(bytes)", sourceLocation: sourceLocation)
        guard result.root != nil || !offsets.isEmpty, offsets == offsets.sorted(),
            offsets.allSatisfy({ (0...bytes.count).contains($0) })
        else {
            Issue.record("\(bytes) gives \(result)", sourceLocation: sourceLocation)
            return
        }
    }
}
