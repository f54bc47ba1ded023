import PreferencesSchema

extension TextPosition {
    static let start = TextPosition(line: 1, column: 1)

    /// Where the first line begins in which a text is not as it should be.
    static func firstDifference(between text: [UInt8], and expected: [UInt8]) -> TextPosition {
        let shared = zip(text, expected).prefix { $0 == $1 }.count
        return TextPosition(line: LineTable(text).position(at: shared).line, column: 1)
    }
}
