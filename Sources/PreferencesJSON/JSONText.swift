/// Formats strings as JSON.
package enum JSONText {
    /// Appends a string in quotes, escaping only what RFC 8259 §7 requires.
    package static func append(_ string: String, to text: inout String) {
        text.append("\"")
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text.append("\\\"")
            case "\\": text.append("\\\\")
            case "\n": text.append("\\n")
            case "\r": text.append("\\r")
            case "\t": text.append("\\t")
            case "\u{8}": text.append("\\b")
            case "\u{C}": text.append("\\f")
            case "\u{0}"..<"\u{20}":
                text.append("\\u00")
                text.append(scalar.value < 16 ? "0" : "")
                text.append(String(scalar.value, radix: 16))
            default: text.unicodeScalars.append(scalar)
            }
        }
        text.append("\"")
    }

    /// Returns a string as JSON, including its quotes.
    package static func quoted(_ string: String) -> String {
        var text = ""
        append(string, to: &text)
        return text
    }
}
