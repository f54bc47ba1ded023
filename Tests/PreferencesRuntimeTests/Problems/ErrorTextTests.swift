import Foundation
import Testing

@testable import PreferencesRuntime

@Suite("Texts of errors")
struct ErrorTextTests {
    @Test(
        "The text is a part of a sentence, so that it has no full stop",
        arguments: [
            ("The given data was not valid JSON.", "The given data was not valid JSON"),
            ("wait ...", "wait ..."),
            ("too long", "too long"),
        ]
    )
    func fullStop(text: String, expected: String) {
        let error = DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: text))
        #expect(ErrorText(error).description == expected)
    }
}
