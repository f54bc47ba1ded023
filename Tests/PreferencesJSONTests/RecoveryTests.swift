import PreferencesJSON
import Testing

@Suite("Recovery after a fault")
struct RecoveryTests {
    /// A text and its faults.
    struct Case: CustomTestStringConvertible {
        var testDescription: String
        var text: String
        var faults: [JSONSyntaxError]

        init(_ name: String, _ text: String, _ faults: KeyValuePairs<Int, JSONSyntaxError.Fault>) {
            testDescription = name
            self.text = text
            self.faults = faults.map { JSONSyntaxError($0.value, at: $0.key) }
        }
    }

    static let cases: [Case] = [
        .init("two trailing commas", "[[1,],]", [3: .trailingComma, 5: .trailingComma]),
        .init("missing commas", #"["a" "b" {"c": []} []]"#, [5: .missingComma, 9: .missingComma, 19: .missingComma]),
        .init("a missing comma before a name", #"{"a": 1 "b": 2}"#, [8: .missingComma]),
        .init("comments of both kinds", "/* a */ [ // b\n1]", [0: .comment, 10: .comment]),
        .init("a comment that ends with a carriage return", "[// a\r1]", [1: .comment]),
        .init("a comment within a comment", "[/* /* */1]", [1: .comment]),
        .init(
            "duplicates of one name",
            #"{"a": 1, "a": 2, "a": 3}"#,
            [9: .duplicateName("a", firstOffset: 1), 17: .duplicateName("a", firstOffset: 1)]
        ),
        .init("a duplicate written with escapes", #"{"a": 1, "\u0061": 2}"#, [9: .duplicateName("a", firstOffset: 1)]),
        .init(
            "a duplicate by canonical equivalence",
            "{\"\u{E9}\": 1, \"e\u{301}\": 2}",
            [10: .duplicateName("e\u{301}", firstOffset: 1)]
        ),
        .init(
            "bad escapes in one string",
            #"["\a\u12\ud800"]"#,
            [2: .invalidEscape, 4: .invalidEscape, 8: .loneSurrogate]
        ),
        .init(
            "control characters",
            "[\"a\tb\u{1}\"]",
            [3: .controlCharacterInString(9), 5: .controlCharacterInString(1)]
        ),
        .init("a byte order mark and more", "\u{FEFF}[1,]", [0: .byteOrderMark, 5: .trailingComma]),
        .init(
            "all recoverable kinds, and one that ends the reading",
            #"{"a": [1,], /**/ "a": "\x" nope}"#,
            [
                8: .trailingComma, 12: .comment, 17: .duplicateName("a", firstOffset: 1), 23: .invalidEscape,
                27: .unexpected("nope", .commaOrBrace),
            ]
        ),
        .init(
            "a fault that ends the reading, before a recorded one",
            "[\"\\x",
            [1: .unterminatedString, 2: .invalidEscape]
        ),
        .init("a slash instead of a value", "[/x]", [1: .unexpected("/", .aValue)]),
        .init("a slash instead of a comma", "[1 /x]", [3: .unexpected("/", .commaOrBracket)]),
        .init("a slash instead of a name", "{/", [1: .unexpected("/", .aName)]),
        .init("a slash instead of a colon", #"{"a" /: 1}"#, [5: .unexpected("/", .colon)]),
        .init("a slash before the value", "/", [0: .unexpected("/", .aValue)]),
        .init("a comment that does not end", "[1 /* *", [3: .comment, 7: .end(.endOfComment)]),
        .init("a space that is not JSON whitespace", "[\u{A0}1]", [1: .character("\u{A0}", .aValue)]),
        .init("a right-to-left override", "[\u{202E}1]", [1: .character("\u{202E}", .aValue)]),
        .init(
            "a next-line character",
            "[\u{85}1]",
            [1: .unexpectedCharacter(found: "control character U+0085", expected: "a value")]
        ),
    ]

    @Test("All faults of a text are reported in source order", arguments: cases)
    func faults(_ test: Case) {
        #expect(JSONReader.read(Array(test.text.utf8)).faults == test.faults)
    }

    @Test("The first of two members with the same name is kept")
    func firstDuplicateIsKept() throws {
        let root = try #require(JSONReader.read(Array(#"{"a": 1, "b": 2, "a": 3}"#.utf8)).root)
        guard case .object(let members) = root.content else { throw NoObject() }
        #expect(members.map(\.name) == ["a", "b"])
        #expect(members.map(\.value.range) == [6..<7, 14..<15])
    }

    @Test("A duplicate is found in an object of any size", arguments: [2, 15, 16, 17, 18, 40, 1000], [0, 1_000])
    func duplicateAmongMany(count: Int, start: Int) {
        // Names from 1,000 on are sorted.
        let numbers = (1..<count).map { start + $0 }
        let members = numbers.map { "\"key\($0)\": 0" }
        for number in [numbers[0], numbers[count - 2]] {
            let text = "{" + (members + ["\"key\(number)\": 1"]).joined(separator: ", ") + "}"
            let faults = JSONReader.read(Array(text.utf8)).faults
            #expect(faults.map(\.fault.duplicateName) == ["key\(number)"])
            #expect(faults.first?.offset == text.utf8.count - "\"key\(number)\": 1}".utf8.count)
        }
    }

    @Test("Reading ends after the hundredth fault")
    func faultsAreLimited() {
        let result = JSONReader.read(Array(repeatElement("[1,]", count: 150).joined(separator: ",").withBrackets.utf8))
        #expect(result.root == nil)
        #expect(result.faults.count == JSONReader.maximumFaults)
    }

    @Test("An invalid escape is read as the replacement character")
    func replacement() throws {
        let root = try #require(JSONReader.read(Array(#""a\qb""#.utf8)).root)
        guard case .string(let text) = root.content else { throw NoObject() }
        #expect(text == "a\u{FFFD}qb")
    }

    private struct NoObject: Error {}
}

extension JSONSyntaxError.Fault {
    fileprivate var duplicateName: String? {
        if case .duplicateName(let name, _) = self { name } else { nil }
    }
}

extension String {
    fileprivate var withBrackets: String { "[\(self)]" }
}
