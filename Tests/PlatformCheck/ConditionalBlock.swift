/// A block of conditional compilation: the lines between `#if`, `#elseif` or `#else` and the next directive.
struct ConditionalBlock: Hashable, Sendable {
    /// The line of the directive, from 1.
    let line: Int
    /// The directive, without the spaces before it.
    let directive: String

    /// The blocks of a source file, in the order of their lines.
    static func blocks(in source: String) -> [ConditionalBlock] {
        guard source.contains("#if") else { return [] }
        return SourceMasker.codeLines(of: source).enumerated().compactMap { index, line in
            let text = line.drop { $0 == " " || $0 == "\t" }
            guard ["#if", "#elseif", "#else"].contains(text.prefix { $0 == "#" || $0.isLetter }) else { return nil }
            let directive = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            return ConditionalBlock(line: index + 1, directive: directive)
        }
    }
}

extension ConditionalBlock {
    /// Returns a source with a type error, a function, as the first line of some of its blocks.
    ///
    /// - Parameter numbers: The number of each block that gets an error. The compiler's message has it, as
    ///   ``number(inMessage:)`` finds it.
    static func insertingErrors(_ numbers: [ConditionalBlock: Int], into source: String) -> String {
        var lines = source.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        for (block, number) in numbers.sorted(by: { $0.key.line > $1.key.line }) {
            lines.insert("func inserted\(number)() -> Int { (inserted\(number): 0, error: 0) }", at: block.line)
        }
        return lines.joined(separator: "\n")
    }

    /// The number of the block whose error a message of the compiler reports.
    static func number(inMessage message: String) -> Int? {
        message.firstMatch(of: /\binserted(\d+)\b/).flatMap { Int($0.1) }
    }
}
