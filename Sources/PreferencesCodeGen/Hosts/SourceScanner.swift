/// Scans a Swift file once, byte by byte.
struct SourceScanner {
    private(set) var lines: [SourceLines.Line] = []
    private(set) var markers: [HostMarker] = []
    let bytes: [UInt8]
    var offset = 0
    /// The open braces outside of literals.
    var braces: [SourceLines.Brace] = []
    /// The kind of the next brace, as determined by the words before it.
    var head: SourceLines.Brace?
    var referenceTypes: Set<String> = []
    /// See ``SourceLines/moduleTypes``.
    var moduleTypes: [(name: String, offset: Int)] = []
    /// Whether the modifiers before the current word make a declaration visible in its file alone.
    var isFilePrivate = false
    /// The last byte of code that is neither a space nor in a comment.
    var lastByte: UInt8?
    /// The literals and comments around the current position, outermost first; empty in code.
    var open: [Literal] = []
    /// The open braces at the beginning of each open `#if`, with which each of its branches begins.
    var conditions: [[SourceLines.Brace]] = []
    /// The open braces and conditions at the beginning of the current region; nil outside regions.
    var outsideOfRegion: (braces: [SourceLines.Brace], conditions: [[SourceLines.Brace]])?

    /// A literal or comment with an end delimiter, and the offset of its beginning.
    struct Literal {
        var kind: Kind
        var start: Int

        enum Kind {
            case string(pounds: Int, isMultiline: Bool)
            case expression(pounds: Int, isMultiline: Bool)
            /// An interpolation in a string, up to its closing parenthesis.
            case interpolation(parentheses: Int)
            case comment
        }
    }

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The beginning of the outermost literal or comment that is unterminated; nil if there is none.
    var unterminated: Int? { open.first?.start }

    mutating func run() {
        // A byte order mark belongs to no line.
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        if bytes.starts(with: mark) { offset = mark.count }
        beginLine(at: offset)
        while offset < bytes.count {
            if bytes[offset] == UInt8(ascii: "\n") || bytes[offset] == UInt8(ascii: "\r") {
                endLine()
            } else {
                scan()
            }
        }
        lines[lines.count - 1].range = lines[lines.count - 1].range.lowerBound..<offset
        lines[lines.count - 1].end = offset..<offset
        // Literals that end with their line also end with the file.
        while let last = open.last, Self.endsWithLine(last.kind) { open.removeLast() }
    }

    private mutating func beginLine(at start: Int) {
        if open.isEmpty { followCondition(at: start) }
        lines.append(.init(range: start..<start, end: start..<start, brace: braces.last))
        if open.isEmpty { followMarker(at: start) }
    }

    /// Records the marker at the beginning of a line, if there is one.
    private mutating func followMarker(at start: Int) {
        var comment = start
        while let byte = byte(at: comment), isBlank(byte) { comment += 1 }
        guard isNext("//", at: comment) else { return }
        noteMarker(at: comment, isBehindCode: false)
    }

    /// Records the marker in a comment, if there is one.
    mutating func noteMarker(at start: Int, isBehindCode: Bool) {
        let end = bytes[start...].firstIndex(where: isLineEnd) ?? bytes.count
        let text = SourceLines.stripped(Array(bytes[start..<end]))
        let place = HostMarker.Place(line: lines.count - 1, offset: start, isBehindCode: isBehindCode)
        guard let marker = HostMarker(text, at: place) else { return }
        markers.append(marker)
        // At its end, a region has the braces that were open at its beginning: code that was added by hand is replaced.
        if marker.isBegin {
            outsideOfRegion = (braces, conditions)
        } else if let outside = outsideOfRegion {
            (braces, conditions) = outside
            head = nil
            outsideOfRegion = nil
        }
    }

    private mutating func endLine() {
        let start = lines[lines.count - 1].range.lowerBound
        let isPair = bytes[offset] == UInt8(ascii: "\r") && byte(at: offset + 1) == UInt8(ascii: "\n")
        let next = offset + (isPair ? 2 : 1)
        lines[lines.count - 1].range = start..<offset
        lines[lines.count - 1].end = offset..<next
        offset = next
        // If they are unterminated, the compiler reports their lines.
        while let last = open.last, Self.endsWithLine(last.kind) { open.removeLast() }
        beginLine(at: next)
    }

    private static func endsWithLine(_ kind: Literal.Kind) -> Bool {
        switch kind {
        case .string(_, let isMultiline), .expression(_, let isMultiline): !isMultiline
        case .interpolation, .comment: false
        }
    }

    /// Skips the next token, or the next byte of a literal.
    private mutating func scan() {
        let byte = bytes[offset]
        // Most bytes of a literal are skipped.
        let canEnd =
            byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "/")
            || byte == UInt8(ascii: "*")
        switch open.last?.kind {
        case nil, .interpolation?: scanCode()
        case _ where !canEnd: offset += 1
        case .comment?:
            if skip("/*") {
                open.append(Literal(kind: .comment, start: offset - 2))
            } else if skip("*/") {
                open.removeLast()
            } else {
                offset += 1
            }
        case .string(let pounds, let isMultiline)?:
            let quotes = isMultiline ? "\"\"\"" : "\""
            scanText(pounds: pounds, end: quotes, interpolates: true)
        case .expression(let pounds, _)?:
            scanText(pounds: pounds, end: "/", interpolates: false)
        }
    }

    /// Skips a byte of a string or a regular expression, an escape sequence, or the end.
    private mutating func scanText(pounds: Int, end: String, interpolates: Bool) {
        let marks = String(repeating: "#", count: pounds)
        if skip(end + marks) {
            open.removeLast()
        } else if interpolates, skip("\\" + marks + "(") {
            open.append(Literal(kind: .interpolation(parentheses: 1), start: offset - 1))
        } else if skip("\\" + (interpolates ? marks : "")), offset < bytes.count, !isLineEnd(bytes[offset]) {
            offset += 1
        } else if offset < bytes.count, !isLineEnd(bytes[offset]) {
            offset += 1
        }
    }
}

// MARK: - Looking ahead

extension SourceScanner {
    func byte(at offset: Int) -> UInt8? {
        bytes.indices.contains(offset) ? bytes[offset] : nil
    }

    func isLineEnd(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }

    func isNext(_ text: String, at start: Int) -> Bool {
        var place = start
        for expected in text.utf8 {
            guard place < bytes.count, bytes[place] == expected else { return false }
            place += 1
        }
        return true
    }

    /// Skips a text if it comes next.
    mutating func skip(_ text: String) -> Bool {
        guard isNext(text, at: offset) else { return false }
        offset += text.utf8.count
        return true
    }
}
