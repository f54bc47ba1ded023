/// Separates code from comments and literals.
enum SourceMasker {
    private enum Context {
        /// The number of parentheses that are open. The code of an interpolation ends where it closes one more.
        case code(parentheses: Int)
        case comment
        /// The number of `#` that the literal's delimiters have.
        case literal(pounds: Int, isMultiline: Bool)
    }

    /// The lines of a source file, with a space for each byte of comments and of string literals.
    ///
    /// Interpolations are code. Regular expression literals are not recognized, and count as code.
    static func codeLines(of source: String) -> [String] {
        let bytes = Array(source.utf8)
        var code = bytes
        var contexts: [Context] = [.code(parentheses: 0)]
        var index = 0

        func has(_ text: String) -> Bool { bytes[index...].starts(with: text.utf8) }
        func erase(_ count: Int) {
            for place in index..<min(index + count, bytes.count) where bytes[place] != UInt8(ascii: "\n") {
                code[place] = UInt8(ascii: " ")
            }
            index += count
        }

        while index < bytes.count, let context = contexts.last {
            switch context {
            case .comment:
                if has("/*") { contexts.append(.comment) } else if has("*/") { contexts.removeLast() }
                erase(has("/*") || has("*/") ? 2 : 1)
            case .literal(let pounds, let isMultiline):
                let suffix = String(repeating: "#", count: pounds)
                let end = (isMultiline ? "\"\"\"" : "\"") + suffix
                if has(end) || (!isMultiline && has("\n")) {
                    contexts.removeLast()
                    erase(has("\n") ? 1 : end.utf8.count)
                } else if has("\\" + suffix + "(") {
                    contexts.append(.code(parentheses: 0))
                    erase(pounds + 2)
                } else {
                    erase(has("\\" + suffix) ? pounds + 2 : 1)
                }
            case .code(let parentheses):
                let pounds = bytes[index...].prefix { $0 == UInt8(ascii: "#") }.count
                let quotes = bytes[(index + pounds)...].prefix(3).prefix { $0 == UInt8(ascii: "\"") }.count
                if has("//") {
                    erase(bytes[index...].prefix { $0 != UInt8(ascii: "\n") }.count)
                } else if has("/*") {
                    contexts.append(.comment)
                    erase(2)
                } else if quotes > 0 {
                    contexts.append(.literal(pounds: pounds, isMultiline: quotes == 3))
                    erase(pounds + (quotes == 3 ? 3 : 1))
                } else if has(")"), parentheses == 0, contexts.count > 1 {
                    contexts.removeLast()
                    erase(1)
                } else {
                    let change = has("(") ? 1 : has(")") ? -1 : 0
                    contexts[contexts.count - 1] = .code(parentheses: max(0, parentheses + change))
                    index += max(1, pounds)
                }
            }
        }
        // Of bytes: a line feed after a carriage return is no Character of its own.
        return code.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
    }
}
