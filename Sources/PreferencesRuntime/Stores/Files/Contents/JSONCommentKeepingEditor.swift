import PreferencesJSON

/// Changes the members of a JSON object whose text has comments.
///
/// No comment is removed or moved away from its line, not even those of a member that is removed, since they may be a
/// person's notes. New members are added at the end, because comments may divide the object into sections.
struct JSONCommentKeepingEditor {
    private let bytes: [UInt8]
    private let start: Int
    /// The offset of the closing brace.
    private let end: Int
    /// The range of each member, its name and its value.
    private let members: [Range<Int>]
    /// The offset of the comma after each member; nil for the last one without a trailing comma.
    private let commas: [Int?]

    private struct Edit {
        let range: Range<Int>
        let text: String
    }

    /// Creates an editor of a text, which is an object.
    ///
    /// - Throws: `JSONSyntaxError` if it is not valid.
    init(_ bytes: [UInt8]) throws(JSONSyntaxError) {
        let outline = try JSONOutline(bytes, permitsComments: true)
        (self.bytes, start, end, members) = (bytes, outline.start, outline.end - 1, outline.members)
        let ends = members.dropFirst().map(\.lowerBound) + [end]
        commas = zip(members, ends).map { member, end in Self.comma(in: member.upperBound..<end, of: bytes) }
    }

    /// Returns the changed text.
    ///
    /// - Parameters:
    ///   - replaced: The ranges of values that change, and their new texts, by the indices of members; nil removes the
    ///     member.
    ///   - added: The texts of new members.
    func text(replacing replaced: [Int: (range: Range<Int>, text: String?)], adding added: [String]) -> [UInt8] {
        var edits: [Edit] = []
        var last: Int?
        for index in members.indices {
            switch replaced[index] {
            case nil: last = index
            case (let range, let text?)?:
                edits.append(Edit(range: range, text: text))
                last = index
            case (let range, nil)?: edits += removal(of: index, withValueAt: range.lowerBound)
            }
        }
        let hasTrailingComma = commas.last.map { $0 != nil } ?? false
        edits += ending(after: last, adding: added, hasTrailingComma: hasTrailingComma)
        return applying(edits)
    }

    // MARK: - Edits

    /// Returns the edits that remove a member with its comma, and its line if nothing else is on it.
    ///
    /// - Parameter value: The offset of the value. Comments before it remain.
    private func removal(of index: Int, withValueAt value: Int) -> [Edit] {
        var range = members[index]
        let comments = comments(in: endOfName(of: index)..<value)
        if !comments.isEmpty {
            let starts = [range.lowerBound] + comments.map(\.upperBound)
            let ends = comments.map(\.lowerBound) + [range.upperBound]
            let comma = commas[index].map { [$0..<($0 + 1)] } ?? []
            return (zip(starts, ends).map { $0..<$1 } + comma).map { Edit(range: $0, text: "") }
        }
        guard let comma = commas[index] else { return [Edit(range: lineIfBlank(range), text: "")] }
        guard bytes[range.upperBound..<comma].allSatisfy(Self.isSpace) else {
            return [Edit(range: range, text: ""), Edit(range: comma..<(comma + 1), text: "")]
        }
        range = range.lowerBound..<(comma + 1)
        return [Edit(range: lineIfBlank(range), text: "")]
    }

    /// Returns the lines of a range, if they have no other text; otherwise the range and the spaces after it.
    private func lineIfBlank(_ range: Range<Int>) -> Range<Int> {
        var (low, high) = (range.lowerBound, range.upperBound)
        while low > start, Self.isBlank(bytes[low - 1]) { low -= 1 }
        while high < end, Self.isBlank(bytes[high]) { high += 1 }
        guard bytes[low - 1] == UInt8(ascii: "\n"), high < end, let newline = newline(at: high) else {
            return range.lowerBound..<high
        }
        return low..<newline.upperBound
    }

    /// Returns the edits after the last member that remains: its comma, and the new members.
    private func ending(after last: Int?, adding added: [String], hasTrailingComma: Bool) -> [Edit] {
        var edits: [Edit] = []
        let comma = last.flatMap { commas[$0] }
        if let last {
            let needsComma = !added.isEmpty || hasTrailingComma
            if let comma, !needsComma { edits.append(Edit(range: comma..<(comma + 1), text: "")) }
            if comma == nil, needsComma { edits.append(insertion(",", at: members[last].upperBound)) }
        }
        guard !added.isEmpty else { return edits }
        let offset = endOfComments(onLineAt: comma.map { $0 + 1 } ?? last.map { members[$0].upperBound } ?? start + 1)
        let (lineBreak, indentation) = (lineBreak, memberIndentation)
        var text = added.map { lineBreak + indentation + $0 }.joined(separator: ",")
        if hasTrailingComma { text += "," }
        if bytes[offset..<end].allSatisfy(Self.isBlank) { text += lineBreak + closingIndentation }
        return edits + [insertion(text, at: offset)]
    }

    private func insertion(_ text: String, at offset: Int) -> Edit { Edit(range: offset..<offset, text: text) }

    private func applying(_ edits: [Edit]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + 1_024)
        var offset = 0
        // Insertions first, in their order, since a removed member may follow immediately.
        let bounds = { (edit: Edit) in (edit.range.lowerBound, edit.range.upperBound) }
        for edit in edits.sorted(by: { bounds($0) < bounds($1) }) {
            result += bytes[offset..<edit.range.lowerBound]
            result += edit.text.utf8
            offset = edit.range.upperBound
        }
        return result + bytes[offset...]
    }

    // MARK: - Layout

    private var lineBreak: String {
        let newline = bytes.firstIndex(of: UInt8(ascii: "\n"))
        return newline.map { $0 > 0 && bytes[$0 - 1] == UInt8(ascii: "\r") } ?? false ? "\r\n" : "\n"
    }

    /// The space before the first member, if it begins its line; otherwise that before the brace and two spaces.
    private var memberIndentation: String {
        members.first.flatMap { indentation(before: $0.lowerBound) } ?? closingIndentation + "  "
    }

    private var closingIndentation: String { indentation(before: end) ?? "" }

    /// Returns the space before an offset on its line; nil if there is other text.
    private func indentation(before offset: Int) -> String? {
        var low = offset
        while low > 0, Self.isBlank(bytes[low - 1]) { low -= 1 }
        guard low == 0 || bytes[low - 1] == UInt8(ascii: "\n") else { return nil }
        return String(decoding: bytes[low..<offset], as: UTF8.self)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    private static func isSpace(_ byte: UInt8) -> Bool {
        isBlank(byte) || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }

    /// Returns the range of the line break at an offset; nil if there is none.
    private func newline(at offset: Int) -> Range<Int>? {
        let length = bytes[offset] == UInt8(ascii: "\r") ? 2 : 1
        guard offset + length <= end, bytes[offset + length - 1] == UInt8(ascii: "\n") else { return nil }
        return offset..<(offset + length)
    }

    // MARK: - Comments

    /// Returns the comments between a name and its value, those that begin with `//` with their line breaks.
    private func comments(in range: Range<Int>) -> [Range<Int>] {
        var comments: [Range<Int>] = []
        var offset = range.lowerBound
        while offset < range.upperBound {
            guard bytes[offset] == UInt8(ascii: "/") else {
                offset += 1
                continue
            }
            let end = Self.end(ofCommentAt: offset, in: bytes)
            var upper = end
            if bytes[offset + 1] == UInt8(ascii: "/") {
                if bytes[upper] == UInt8(ascii: "\r") { upper += 1 }
                if bytes[upper] == UInt8(ascii: "\n") { upper += 1 }
            }
            comments.append(offset..<upper)
            offset = end
        }
        return comments
    }

    /// Returns the offset after a member's name.
    private func endOfName(of index: Int) -> Int {
        var offset = members[index].lowerBound + 1
        while bytes[offset] != UInt8(ascii: "\"") { offset += bytes[offset] == UInt8(ascii: "\\") ? 2 : 1 }
        return offset + 1
    }

    /// Returns the offset of the comma in the text between two members.
    private static func comma(in range: Range<Int>, of bytes: [UInt8]) -> Int? {
        var offset = range.lowerBound
        while offset < range.upperBound {
            switch bytes[offset] {
            case UInt8(ascii: ","): return offset
            case UInt8(ascii: "/"): offset = end(ofCommentAt: offset, in: bytes)
            default: offset += 1
            }
        }
        return nil
    }

    /// Returns the offset after the last comment that follows an offset on its line; the offset itself without one.
    private func endOfComments(onLineAt start: Int) -> Int {
        var (end, offset) = (start, start)
        while true {
            while Self.isBlank(bytes[offset]) { offset += 1 }
            guard bytes[offset] == UInt8(ascii: "/") else { return end }
            offset = Self.end(ofCommentAt: offset, in: bytes)
            end = offset
        }
    }

    /// Returns the offset after a comment, without the line break of one that begins with `//`.
    private static func end(ofCommentAt start: Int, in bytes: [UInt8]) -> Int {
        var offset = start + 2
        if bytes[start + 1] == UInt8(ascii: "/") {
            while bytes[offset] != UInt8(ascii: "\n"), bytes[offset] != UInt8(ascii: "\r") { offset += 1 }
            return offset
        }
        while bytes[offset] != UInt8(ascii: "*") || bytes[offset + 1] != UInt8(ascii: "/") { offset += 1 }
        return offset + 2
    }
}
