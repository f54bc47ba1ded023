import PreferencesJSON
import Testing

@Suite("Writing JSON text")
struct JSONTextTests {
    @Test(
        "Only characters that must be escaped are",
        arguments: [
            ("", #""""#), ("a\"b\\c/d", #""a\"b\\c/d""#), ("\n\r\t\u{8}\u{C}", #""\n\r\t\b\f""#),
            ("\u{0}\u{1F}\u{7F}", "\"\\u0000\\u001f\u{7F}\""), ("é日😀\u{2028}", "\"é日😀\u{2028}\""),
        ]
    )
    func quoting(text: String, expected: String) {
        #expect(JSONText.quoted(text) == expected)
    }

    @Test("A written string is read back unchanged")
    func roundTrip() throws {
        let text = String(String.UnicodeScalarView((0...0x2FF).compactMap(Unicode.Scalar.init)))
        guard case .string(let read) = try JSONReader.parse(Array(JSONText.quoted(text).utf8)).content else {
            Issue.record("no string")
            return
        }
        #expect(read == text)
    }
}
