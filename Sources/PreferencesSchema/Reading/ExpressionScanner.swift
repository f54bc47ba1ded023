/// Checks that a text is a single Swift expression that does not affect the code around it. The compiler checks the
/// rest.
struct ExpressionScanner {
    struct Fault {
        /// The offset in UTF-8 bytes, or nil for the whole expression.
        var offset: Int?
        var message: String
    }

    private let text: [UInt8]
    private var offset = 0
    private var fault: Fault?
    private var nesting = 0

    /// Deeper than anyone writes, and shallow enough for the recursion.
    private static let maximumNesting = 32

    /// Directives that the compiler expects on a line of their own.
    private static let directives = ["#if", "#elseif", "#else", "#endif", "#sourceLocation", "#warning", "#error"]

    /// Returns the fault of an expression, or nil if there is none.
    static func fault(in expression: String) -> Fault? {
        if expression.allSatisfy(\.isWhitespace) {
            return Fault(message: "'defaultExpression' must not be empty")
        }
        if let end = expression.unicodeScalars.firstIndex(where: isControl) {
            let offset = expression.utf8.distance(from: expression.startIndex, to: end)
            return Fault(offset: offset, message: "an expression must be one line without control characters")
        }
        if let directive = directives.first(where: expression.drop(while: \.isWhitespace).hasPrefix) {
            return Fault(
                message:
                    "an expression cannot begin with '\(directive)'; use 'platformDefaults' for defaults by platform"
            )
        }
        var scanner = ExpressionScanner(text: Array(expression.utf8))
        scanner.scan()
        return scanner.fault
    }

    /// Whether a character ends a line, or changes the direction of text and so disguises code (Unicode Technical
    /// Standard 55, "Unicode Source Code Handling").
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\u{2028}"..."\u{202E}", "\u{2066}"..."\u{2069}": true
        default: scalar.properties.generalCategory == .control
        }
    }

    private init(text: [UInt8]) {
        self.text = text
    }

    private mutating func scan() {
        var open: [(bracket: UInt8, offset: Int)] = []
        while offset < text.count, fault == nil {
            let byte = text[offset]
            switch byte {
            case UInt8(ascii: "\""):
                skipString()
                continue
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
                open.append((byte, offset))
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
                guard let last = open.popLast() else {
                    fault = Fault(offset: offset, message: "unmatched '\(Self.text(byte))'")
                    return
                }
                guard Self.closing(last.bracket) == byte else {
                    let expected =
                        "expected '\(Self.text(Self.closing(last.bracket)))' to close '\(Self.text(last.bracket))'"
                    fault = Fault(offset: offset, message: "\(expected), not '\(Self.text(byte))'")
                    return
                }
            case UInt8(ascii: "/") where offset + 1 < text.count && "/*".utf8.contains(text[offset + 1]):
                fault = Fault(offset: offset, message: "an expression cannot contain a comment")
            case UInt8(ascii: ";"):
                fault = Fault(offset: offset, message: "this is more than one expression")
            default:
                break
            }
            offset += 1
        }
        if fault == nil, let last = open.last {
            fault = Fault(offset: last.offset, message: "'\(Self.text(last.bracket))' is never closed")
        }
    }

    private static func text(_ bracket: UInt8) -> Character { Character(.init(bracket)) }

    private static func closing(_ bracket: UInt8) -> UInt8 {
        switch bracket {
        case UInt8(ascii: "("): UInt8(ascii: ")")
        case UInt8(ascii: "["): UInt8(ascii: "]")
        default: UInt8(ascii: "}")
        }
    }

    /// Consumes a string literal. Interpolations are only scanned for their end.
    private mutating func skipString() {
        let start = offset
        // A raw string has the same number of number signs before and after it.
        var hashes = 0
        while start > hashes, text[start - hashes - 1] == UInt8(ascii: "#") { hashes += 1 }
        let end = [UInt8(ascii: "\"")] + Array(repeating: UInt8(ascii: "#"), count: hashes)
        let escape = [UInt8(ascii: "\\")] + Array(repeating: UInt8(ascii: "#"), count: hashes)
        offset += 1
        while offset < text.count {
            if text[offset...].starts(with: escape) {
                offset += escape.count
                if offset < text.count, text[offset] == UInt8(ascii: "(") { skipInterpolation() } else { offset += 1 }
            } else if text[offset...].starts(with: end) {
                offset += end.count
                return
            } else {
                offset += 1
            }
            if fault != nil { return }
        }
        fault = Fault(offset: start, message: "the string is never closed")
    }

    private mutating func skipInterpolation() {
        let start = offset
        nesting += 1
        defer { nesting -= 1 }
        guard nesting <= Self.maximumNesting else {
            fault = Fault(
                offset: start,
                message: "string interpolations are nested more than \(Self.maximumNesting) levels deep"
            )
            return
        }
        var depth = 0
        while offset < text.count, fault == nil {
            switch text[offset] {
            case UInt8(ascii: "\""):
                skipString()
                continue
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"): depth -= 1
            default: break
            }
            offset += 1
            if depth == 0 { return }
        }
        fault = fault ?? Fault(offset: start, message: "the interpolation is never closed")
    }
}
