import Foundation

/// The names and values of cookies, percent-encoded where RFC 6265 (§4.1.1) does not allow a character.
enum CookieText {
    /// What names and values may have: the characters of a token (RFC 9110, §5.6.2), but for the percent sign.
    private static let allowed = CharacterSet(
        charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$&'*+-.^_`|~"
    )

    static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: allowed) ?? text
    }

    /// As it stands where it is not encoded. Foundation on Linux would drop a byte order mark.
    static func decoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let first = rest.popFirst() {
            guard first == UInt8(ascii: "%") else { bytes.append(first); continue }
            let digits = rest.prefix(2)
            guard digits.count == 2, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
                let byte = UInt8(Substring(digits), radix: 16)
            else { return text }
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self) ?? text
    }
}
