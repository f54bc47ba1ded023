/// A fault in a JSON text, and its offset.
package struct JSONSyntaxError: Error, Hashable, Sendable {
    /// The offset of the fault's first byte.
    package let offset: Int
    package let fault: Fault

    /// A violation of RFC 8259, or of a limit of the reader.
    package enum Fault: Hashable, Sendable {
        case empty
        case invalidUTF8
        case byteOrderMark
        case unexpectedCharacter(found: String, expected: String)
        case unexpectedEnd(expected: String)
        case unterminatedString
        case controlCharacterInString(UInt8)
        case invalidEscape
        case loneSurrogate
        case invalidNumber(String)
        case comment
        case trailingComma
        case missingComma
        case duplicateName(String, firstOffset: Int)
        case nestedTooDeep
        case contentAfterValue
    }

    package init(_ fault: Fault, at offset: Int) {
        self.offset = offset
        self.fault = fault
    }

    /// The message: one sentence without a full stop.
    package var message: String {
        switch fault {
        case .empty: "the file is empty; expected a JSON object"
        case .invalidUTF8: "this byte is not valid UTF-8"
        case .byteOrderMark: "the file starts with a byte order mark; save it as UTF-8 without one"
        case .unexpectedCharacter(let found, let expected): "unexpected \(found); expected \(expected)"
        case .unexpectedEnd(let expected): "the file ends too early; expected \(expected)"
        case .unterminatedString: "this string has no closing quote on its line"
        case .controlCharacterInString(let byte):
            "a control character (\(Self.codePoint(Unicode.Scalar(byte)))) in a string must be written as an escape"
        case .invalidEscape: #"invalid escape; JSON has \" \\ \/ \b \f \n \r \t and \u with four hexadecimal digits"#
        case .loneSurrogate: #"half of a surrogate pair; a character beyond U+FFFF takes two \u escapes"#
        case .invalidNumber(let reason): "invalid number: \(reason)"
        case .comment: "JSON has no comments"
        case .trailingComma: "trailing comma"
        case .missingComma: "missing comma before this value"
        case .duplicateName(let name, _): "duplicate name '\(name)' in one object"
        case .nestedTooDeep: "nested more than \(JSONReader.maximumDepth) levels deep"
        case .contentAfterValue: "unexpected text after the end of the JSON value"
        }
    }

    /// The message without excerpts of the text, which may contain secrets.
    package var messageWithoutContents: String {
        switch fault {
        case .unexpectedCharacter(_, let expected): "expected \(expected), found other text"
        case .controlCharacterInString: "a control character in a string must be written as an escape"
        case .duplicateName: "this name occurs twice in the object"
        default: message
        }
    }

    /// Returns the code point of a scalar: `U+001F`.
    static func codePoint(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "U+\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)"
    }
}
