import Foundation

/// Type errors inserted into conditional blocks, which prove that the check compiles each block.
struct InsertedErrors: Sendable {
    /// A block of a source file.
    struct Place: Hashable, Sendable {
        let file: URL
        let block: ConditionalBlock
    }

    /// The blocks of all sources. An error's number is its block's index here.
    let places: [Place]
    /// The copies of the sources, with errors, by the path of the source.
    private let copies: [URL: URL]

    /// Writes copies of sources with an error in each of their blocks.
    ///
    /// - Parameters:
    ///   - isIncluded: Whether a block gets an error.
    ///   - folder: Where the copies are made.
    init(in sources: [URL], where isIncluded: (Place) -> Bool, copies folder: URL) throws {
        try removeIfPresent(folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var places: [Place] = []
        var copies: [URL: URL] = [:]
        for (index, source) in sources.enumerated() {
            let text = try String(contentsOf: source, encoding: .utf8)
            let blocks = ConditionalBlock.blocks(in: text).filter { isIncluded(Place(file: source, block: $0)) }
            guard !blocks.isEmpty else { continue }
            let numbers = Dictionary(uniqueKeysWithValues: zip(blocks, places.count...))
            // Each copy is in its own folder, because a file `main.swift` must keep its name.
            let copy = folder.appending(path: "\(index)/\(source.lastPathComponent)")
            try FileManager.default.createDirectory(
                at: copy.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(ConditionalBlock.insertingErrors(numbers, into: text).utf8).write(to: copy)
            copies[source] = copy
            places += blocks.map { Place(file: source, block: $0) }
        }
        self.places = places
        self.copies = copies
    }

    /// The places whose errors the compiler finds when it type-checks targets.
    func found(in targets: [PackageTarget], with modules: PlatformCompiler) async throws -> Set<Place> {
        var found: Set<Place> = []
        for target in targets where target.sources.contains(where: { copies[$0] != nil }) {
            for diagnostic in try await modules.diagnostics(of: target, replacing: copies) {
                if let number = ConditionalBlock.number(inMessage: diagnostic.message) {
                    found.insert(places[number])
                }
            }
        }
        return found
    }
}

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

/// Separates code from comments and literals.
enum SourceMasker {
    private enum Context {
        /// The number of open parentheses. The code of an interpolation ends with an additional closing one.
        case code(parentheses: Int)
        case comment
        /// The number of `#` that the literal's delimiters have.
        case literal(pounds: Int, isMultiline: Bool)
    }

    /// Returns the lines of a source file, with a space for each byte of comments and of string literals.
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
        // Bytes, because a carriage return and a line feed are one Character.
        return code.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
    }
}
