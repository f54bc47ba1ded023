/// Looks over a Swift expression for what would make more of it than an expression: the compiler says the rest.
struct ExpressionScanner {
    struct Fault {
        /// In UTF-8 bytes; nil where the whole expression is meant.
        var offset: Int?
        var message: String
    }

    private let text: [UInt8]
    private var offset = 0
    private var fault: Fault?
    private var nesting = 0

    /// Deeper than a person writes, and shallow enough for the recursion.
    private static let maximumNesting = 32

    /// What begins a line of its own for the compiler.
    private static let directives = ["#if", "#elseif", "#else", "#endif", "#sourceLocation", "#warning", "#error"]

    /// What is wrong with an expression; nil where nothing is.
    static func fault(in expression: String) -> Fault? {
        if expression.allSatisfy(\.isWhitespace) {
            return Fault(message: "'defaultExpression' must not be empty")
        }
        if let end = expression.unicodeScalars.firstIndex(where: { $0.properties.generalCategory == .control }) {
            let offset = expression.utf8.distance(from: expression.startIndex, to: end)
            return Fault(offset: offset, message: "an expression is one line without control characters")
        }
        if let directive = directives.first(where: expression.drop(while: \.isWhitespace).hasPrefix) {
            return Fault(
                message: "'\(directive)' begins no expression; 'platformDefaults' has a default for each platform"
            )
        }
        var scanner = ExpressionScanner(text: Array(expression.utf8))
        scanner.scan()
        return scanner.fault
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
                    fault = Fault(offset: offset, message: "nothing is open that '\(Self.text(byte))' closes")
                    return
                }
                guard Self.closing(last.bracket) == byte else {
                    let expected = "'\(Self.text(Self.closing(last.bracket)))' must close '\(Self.text(last.bracket))'"
                    fault = Fault(offset: offset, message: "\(expected), not '\(Self.text(byte))'")
                    return
                }
            case UInt8(ascii: "/") where offset + 1 < text.count && "/*".utf8.contains(text[offset + 1]):
                fault = Fault(offset: offset, message: "an expression cannot have a comment")
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

    /// Steps over a string literal; what is interpolated is not looked at, but for where it ends.
    private mutating func skipString() {
        let start = offset
        // Raw strings have as many signs behind them as before.
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
                message: "strings are interpolated more than \(Self.maximumNesting) levels deep"
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
