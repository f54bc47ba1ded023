import PreferencesJSON
import TestSupport
import Testing

@Suite("JSON outlines")
struct OutlineTests {
    private func pieces(_ text: String) throws -> [String] {
        let bytes = Array(text.utf8)
        return try JSONOutline(bytes).members.map { String(decoding: bytes[$0], as: UTF8.self) }
    }

    @Test("An outline has the ranges of the outermost object's members")
    func members() throws {
        #expect(
            try pieces(" {\n\"a\" : [1, {\"x\": 2}] ,\"b\\\"\":{} } ") == ["\"a\" : [1, {\"x\": 2}]", "\"b\\\"\":{}"]
        )
        #expect(try pieces("{}") == [])
        #expect(try pieces("[{\"a\": 1}]") == [])
        #expect(try JSONOutline(Array("\n [1]".utf8)).start == 2)
    }

    @Test(
        "An outline records whether names are sorted",
        arguments: [
            ("{}", true), (#"{"b": 1}"#, true), (#"{"a": 1, "b": 2, "é": 3}"#, true), (#"{"b": 1, "a": 2}"#, false),
            // `String` orders composed characters.
            (#"{"ac": 1, "ab\#u{307}": 2}"#, true), (#"{"a": 1, "c": 2, "b": 3, "d": 4}"#, false),
        ]
    )
    func order(text: String, isSorted: Bool) throws {
        #expect(try JSONOutline(Array(text.utf8)).isSorted == isSorted)
    }

    @Test(
        "An outline records whether names are plain ASCII",
        arguments: [(#"{"a": "é\n"}"#, true), (#"{"a": 1, "é": 2}"#, false), (#"{"\u0061": 1}"#, false), ("{}", true)]
    )
    func plainNames(text: String, isPlain: Bool) throws {
        #expect(try JSONOutline(Array(text.utf8)).hasPlainNames == isPlain)
    }

    @Test("An outline throws the first fault of a text", arguments: RefusedText.all + RefusedText.implementationDefined)
    func faults(_ text: RefusedText) throws {
        #expect(fault { try JSONOutline(text.bytes) } == fault { try JSONReader.parse(text.bytes) })
    }

    private func fault<Result>(_ body: () throws -> Result) -> JSONSyntaxError? {
        do {
            _ = try body()
            return nil
        } catch {
            return error as? JSONSyntaxError
        }
    }

    @Test(
        "A duplicate name is found in small and large objects, sorted or not",
        arguments: [3, 15, 16, 17, 200]
    )
    func duplicates(count: Int) throws {
        var random = SeededRandom(seed: 7)
        for isShuffled in [false, true] {
            for index in 0..<count {
                var names = (0..<count).map { "name \(1_000 + $0)" }
                if isShuffled { names.shuffle(using: &random) }
                // A different spelling of the same name.
                let again = "\\u006eame \(names[index].dropFirst(5))"
                let text = "{" + (names + [again]).map { "\"\($0)\":0" }.joined(separator: ",") + "}"
                let first = 1 + index * "\"name 1000\":0,".utf8.count
                let fault = JSONSyntaxError(
                    .duplicateName(names[index], firstOffset: first),
                    at: 1 + count * "\"name 1000\":0,".utf8.count
                )
                #expect(JSONReader.read(Array(text.utf8)).faults == [fault])
                #expect(throws: fault) { try JSONOutline(Array(text.utf8)) }
            }
        }
    }
}
