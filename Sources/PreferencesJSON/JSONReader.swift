/// A reader of strict JSON (RFC 8259) that keeps the position of every value. On request it also permits comments and
/// trailing commas.
///
/// A fault whose intended meaning is clear (a duplicate name, a trailing comma, a comment, an invalid escape) is
/// recorded and reading continues, so that one run finds all of them. Any other fault ends the reading.
///
/// The reader implements the grammar, and its callers decide what to build: a tree of ``JSONNode``, the ranges of an
/// object's members (``JSONOutline``), or values of their own.
package struct JSONReader {
    /// The maximum nesting depth of arrays and objects. RFC 8259 §9 permits a limit; this one keeps the recursion,
    /// about 2 KiB a level in debug builds, well within the 512 KiB stack of secondary threads on Apple platforms.
    package static let maximumDepth = 128

    /// The number of faults after which reading ends, as more would not help the user.
    package static let maximumFaults = 100

    package struct Result: Sendable {
        /// The value, or nil if a fault ended the reading.
        package var root: JSONNode?
        /// The faults in source order.
        package var faults: [JSONSyntaxError]
    }

    /// Reads a text as a tree, collecting its faults.
    package static func read(_ bytes: [UInt8]) -> Result {
        let (root, faults) = read(bytes) { reader throws(Stop) in try reader.readValue() }
        return Result(root: root, faults: faults)
    }

    /// Reads a text as a tree.
    ///
    /// - Throws: The first fault.
    package static func parse(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONNode {
        try parse(bytes) { reader throws(Stop) in try reader.readValue() }
    }

    /// Reads a text with a function of the caller.
    ///
    /// - Parameters:
    ///   - permitsComments: Whether comments and trailing commas are no faults.
    ///   - readRoot: Consumes the outermost value, and returns the caller's representation of it.
    /// - Throws: The first fault.
    package static func parse<Root>(
        _ bytes: [UInt8],
        permitsComments: Bool = false,
        _ readRoot: (inout JSONReader) throws(Stop) -> Root
    ) throws(JSONSyntaxError) -> Root {
        let (root, faults) = read(bytes, permitsComments: permitsComments, readRoot)
        if let fault = faults.first { throw fault }
        guard let root else { throw JSONSyntaxError(.empty, at: 0) }
        return root
    }

    /// Reads part of a text that has been validated before.
    ///
    /// - Parameters:
    ///   - offset: The offset of the part's first byte.
    ///   - body: Consumes the part, and returns the caller's representation of it.
    /// - Returns: The result of `body`, or nil if the text has become invalid since.
    package static func reading<Part>(
        _ bytes: [UInt8],
        from offset: Int,
        _ body: (inout JSONReader) throws(Stop) -> Part
    ) -> Part? {
        bytes.withUnsafeBufferPointer { buffer in
            // If comments were not permitted, there are none.
            var reader = JSONReader(bytes: buffer, permitsComments: true)
            reader.offset = offset
            return try? body(&reader)
        }
    }

    private static func read<Root>(
        _ bytes: [UInt8],
        permitsComments: Bool = false,
        _ readRoot: (inout JSONReader) throws(Stop) -> Root
    ) -> (root: Root?, faults: [JSONSyntaxError]) {
        bytes.withUnsafeBufferPointer { buffer in
            var reader = JSONReader(bytes: buffer, permitsComments: permitsComments)
            let root = try? reader.readDocument(readRoot)
            // The fault that ended the reading is recorded last, but may precede others in the text.
            return (root, reader.faults.sorted { $0.offset < $1.offset })
        }
    }

    let bytes: UnsafeBufferPointer<UInt8>
    /// Whether comments and trailing commas are no faults.
    private let permitsComments: Bool
    /// Whether there were comments, which are permitted.
    private(set) var hasComments = false
    /// The offset of the next byte.
    package internal(set) var offset = 0
    private var depth = 0
    private var faults: [JSONSyntaxError] = []

    private init(bytes: UnsafeBufferPointer<UInt8>, permitsComments: Bool) {
        self.bytes = bytes
        self.permitsComments = permitsComments
    }
}

// MARK: - Faults

extension JSONReader {
    /// The error thrown after recording a fault that ends the reading.
    package struct Stop: Error {}

    mutating func record(_ fault: JSONSyntaxError.Fault, at offset: Int) throws(Stop) {
        faults.append(JSONSyntaxError(fault, at: offset))
        if faults.count >= Self.maximumFaults { throw Stop() }
    }

    mutating func stop(_ fault: JSONSyntaxError.Fault, at offset: Int) -> Stop {
        faults.append(JSONSyntaxError(fault, at: offset))
        return Stop()
    }

    /// Records that the text at the current offset is not what was expected.
    mutating func unexpected(expected: String) -> Stop {
        guard let byte = current else { return stop(.unexpectedEnd(expected: expected), at: offset) }
        var end = offset
        if Self.isWordByte(byte) {
            // Quotes a whole word (`True`, `NaN`), which is clearer than its first letter, unless it is very long.
            while end < bytes.count, end - offset < 32, Self.isWordByte(bytes[end]) { end += 1 }
        } else {
            // One character: up to four bytes of UTF-8.
            end += 1
            while end < bytes.count, end - offset < 4, bytes[end] & 0xC0 == 0x80 { end += 1 }
        }
        guard let found = String(validating: bytes[offset..<end], as: UTF8.self) else {
            return stop(.invalidUTF8, at: offset)
        }
        return stop(.unexpectedCharacter(found: Self.name(of: found), expected: expected), at: offset)
    }

    /// Returns a word or character in quotes, or the code point of an invisible character.
    private static func name(of found: String) -> String {
        guard let scalar = found.unicodeScalars.first else { return "''" }
        return switch scalar.properties.generalCategory {
        case .control: "control character \(JSONSyntaxError.codePoint(scalar))"
        case .format, .spaceSeparator, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
            "character \(JSONSyntaxError.codePoint(scalar))"
        default: "'\(found)'"
        }
    }

    static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}

// MARK: - Values

/// The kind of a JSON value, with the value of a Boolean.
package enum JSONToken: Sendable {
    case null
    case bool(Bool)
    case number
    case string
    case array
    case object

    /// The type of the value for use in messages: `a string`, `an object`, …
    package var typeDescription: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension JSONReader {
    package var current: UInt8? {
        offset < bytes.count ? bytes[offset] : nil
    }

    private mutating func readDocument<Root>(
        _ readRoot: (inout JSONReader) throws(Stop) -> Root
    ) throws(Stop) -> Root {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            try record(.byteOrderMark, at: 0)
            offset = 3
        }
        try skipSpace()
        guard current != nil else { throw stop(.empty, at: 0) }
        let root = try readRoot(&self)
        try skipSpace()
        if current != nil { throw stop(.contentAfterValue, at: offset) }
        return root
    }

    /// Returns the kind of the value at the current offset, and consumes `null`, `true` and `false`.
    package mutating func readToken() throws(Stop) -> JSONToken {
        switch current {
        case UInt8(ascii: "{"): return .object
        case UInt8(ascii: "["): return .array
        case UInt8(ascii: "\""): return .string
        case UInt8(ascii: "-"), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): return .number
        case UInt8(ascii: "t") where readWord("true"): return .bool(true)
        case UInt8(ascii: "f") where readWord("false"): return .bool(false)
        case UInt8(ascii: "n") where readWord("null"): return .null
        default: throw unexpected(expected: "a value")
        }
    }

    /// Reads a value as a tree.
    package mutating func readValue() throws(Stop) -> JSONNode {
        let start = offset
        let content: JSONNode.Content =
            switch try readToken() {
            case .null: .null
            case .bool(let value): .bool(value)
            case .number: .number(try readNumber())
            case .string: .string(try readString())
            case .array: .array(try readNodes())
            case .object: .object(try readNodesOfMembers())
            }
        return JSONNode(content, range: start..<offset)
    }

    /// Consumes a value, recording its faults.
    package mutating func skipValue() throws(Stop) {
        switch try readToken() {
        case .null, .bool: break
        case .number: try skipNumber()
        case .string: _ = try readString()
        case .array: try readElements { reader throws(Stop) in try reader.skipValue() }
        case .object:
            try readMembers { reader, _, _, _ throws(Stop) in try reader.skipValue() }
        }
    }

    /// Consumes a literal name, unless it is part of a longer word.
    private mutating func readWord(_ word: StaticString) -> Bool {
        let end = offset + word.utf8CodeUnitCount
        guard end <= bytes.count, end == bytes.count || !Self.isWordByte(bytes[end]) else { return false }
        for index in 0..<word.utf8CodeUnitCount where bytes[offset + index] != word.utf8Start[index] { return false }
        offset = end
        return true
    }

    private mutating func readNodes() throws(Stop) -> [JSONNode] {
        var elements: [JSONNode] = []
        try readElements { reader throws(Stop) in elements.append(try reader.readValue()) }
        return elements
    }

    private mutating func readNodesOfMembers() throws(Stop) -> [JSONMember] {
        var members: [JSONMember] = []
        try readMembers { reader, name, range, isNew throws(Stop) in
            let value = try reader.readValue()
            // Most objects have three or four members, for which appending would reallocate three times.
            if members.isEmpty { members.reserveCapacity(4) }
            if isNew { members.append(JSONMember(name: name, nameRange: range, value: value)) }
        }
        return members
    }

    /// Reads an array.
    ///
    /// - Parameter readElement: Consumes one element.
    package mutating func readElements(_ readElement: (inout JSONReader) throws(Stop) -> Void) throws(Stop) {
        try readItems(closing: UInt8(ascii: "]"), expected: "',' or ']'", readElement)
    }

    /// Reads an object, recording duplicate names.
    ///
    /// - Parameter readMember: Consumes the value of a member. Its arguments are the name of the member, the range of
    ///   the name including its quotes, and whether this is the first member with the name.
    package mutating func readMembers(
        _ readMember: (inout JSONReader, _ name: String, _ nameRange: Range<Int>, _ isNew: Bool) throws(Stop) -> Void
    ) throws(Stop) {
        var names = MemberNames()
        try readItems(closing: UInt8(ascii: "}"), expected: "',' or '}'") { reader throws(Stop) in
            let (name, range) = try reader.readName()
            let first = names.insert(name, at: range, in: reader)
            if let first { try reader.record(.duplicateName(name, firstOffset: first), at: range.lowerBound) }
            try readMember(&reader, name, range, first == nil)
        }
    }

    /// Reads a member's name and the colon, and moves to its value.
    package mutating func readName() throws(Stop) -> (name: String, range: Range<Int>) {
        let start = offset
        guard current == UInt8(ascii: "\"") else { throw unexpected(expected: "a name in double quotes") }
        let name = try readString()
        let range = start..<offset
        try skipSpace()
        guard current == UInt8(ascii: ":") else { throw unexpected(expected: "':'") }
        offset += 1
        try skipSpace()
        return (name, range)
    }

    /// Returns the name of the object's first member if it starts with a byte, and moves to the value of that member.
    package mutating func firstName(startingWith byte: UInt8) -> String? {
        do {
            offset += 1
            try skipSpace()
            // Avoids creating strings for other names.
            guard offset + 1 < bytes.count, bytes[offset + 1] == byte || bytes[offset + 1] == UInt8(ascii: "\\") else {
                return nil
            }
            return try readName().name
        } catch {
            return nil
        }
    }

    /// Returns whether the object ends after the current member.
    package mutating func isAtEndOfObject() -> Bool {
        guard (try? skipSpace()) != nil else { return false }
        if permitsComments, current == UInt8(ascii: ",") {
            offset += 1
            guard (try? skipSpace()) != nil else { return false }
        }
        return current == UInt8(ascii: "}")
    }

    /// Returns the string at an offset, which has been read before, without recording its faults again.
    fileprivate func string(at offset: Int) -> String {
        var reader = JSONReader(bytes: bytes, permitsComments: permitsComments)
        reader.offset = offset
        return (try? reader.readString()) ?? ""
    }

    /// Returns whether a string is ASCII without escapes.
    ///
    /// - Parameter range: The range of the string, including its quotes.
    fileprivate func isPlain(_ range: Range<Int>) -> Bool {
        bytes[range].allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: "\\") }
    }

    /// Returns whether the plain string at one offset sorts before that at another.
    fileprivate func isPlain(at first: Int, before second: Int) -> Bool {
        var index = 1
        while bytes[first + index] == bytes[second + index] {
            if bytes[first + index] == UInt8(ascii: "\"") { return false }
            index += 1
        }
        // A string's end sorts first, although '!' and the space are below the byte of the quote.
        let (byte, other) = (bytes[first + index], bytes[second + index])
        return byte == UInt8(ascii: "\"") || (other != UInt8(ascii: "\"") && byte < other)
    }

    /// Returns whether the strings at two offsets are equal.
    fileprivate func isString(at first: Int, equalTo second: Int) -> Bool {
        var index = 1
        while true {
            let (byte, other) = (bytes[first + index], bytes[second + index])
            // Escapes must be decoded, and strings with non-ASCII scalars can be canonically equivalent.
            if byte == UInt8(ascii: "\\") || other == UInt8(ascii: "\\") || byte | other >= 0x80 {
                return string(at: first) == string(at: second)
            }
            guard byte == other else { return false }
            if byte == UInt8(ascii: "\"") { return true }
            index += 1
        }
    }

    /// Reads the comma-separated items between two brackets.
    private mutating func readItems(
        closing: UInt8,
        expected: String,
        _ readItem: (inout JSONReader) throws(Stop) -> Void
    ) throws(Stop) {
        guard depth < Self.maximumDepth else { throw stop(.nestedTooDeep, at: offset) }
        depth += 1
        defer { depth -= 1 }
        offset += 1
        try skipSpace()
        if current == closing {
            offset += 1
            return
        }
        while true {
            try readItem(&self)
            try skipSpace()
            let comma = offset
            switch current {
            case closing:
                offset += 1
                return
            case UInt8(ascii: ","):
                offset += 1
                try skipSpace()
                if current == closing {
                    if !permitsComments { try record(.trailingComma, at: comma) }
                    offset += 1
                    return
                }
            case UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "["):
                // The start of another item: only the comma can be missing.
                try record(.missingComma, at: offset)
            default:
                throw unexpected(expected: expected)
            }
        }
    }

    private mutating func skipSpace() throws(Stop) {
        while offset < bytes.count {
            switch bytes[offset] {
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): offset += 1
            case UInt8(ascii: "/"):
                guard try skipComment() else { return }
            default: return
            }
        }
    }

    private mutating func noteComment(at start: Int) throws(Stop) {
        hasComments = true
        if !permitsComments { try record(.comment, at: start) }
    }

    /// Consumes a comment.
    ///
    /// - Returns: Whether there is one at the current offset.
    private mutating func skipComment() throws(Stop) -> Bool {
        let start = offset
        switch start + 1 < bytes.count ? bytes[start + 1] : 0 {
        case UInt8(ascii: "/"):
            try noteComment(at: start)
            while let byte = current, byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") { offset += 1 }
            return true
        case UInt8(ascii: "*"):
            try noteComment(at: start)
            offset += 2
            while offset < bytes.count {
                offset += 1
                if bytes[offset - 1] == UInt8(ascii: "*"), current == UInt8(ascii: "/") {
                    offset += 1
                    return true
                }
            }
            throw stop(.unexpectedEnd(expected: "'*/'"), at: offset)
        default:
            return false
        }
    }
}

/// The names of one object, for detecting duplicates.
///
/// In a sorted object, as stores write it, a name that sorts after the last one is new. Other objects are searched
/// linearly while they are small, as nearly all are; only large ones get a table. Names are kept as offsets, which
/// take less memory than the text itself.
private struct MemberNames {
    private var offsets: [Int] = []
    private var isSorted = true
    private var table: [String: Int] = [:]

    /// Adds a name, unless the object has it already.
    ///
    /// - Parameter range: The range of the name, including its quotes.
    /// - Returns: The offset of the same name if the object has it already, otherwise nil.
    mutating func insert(_ name: String, at range: Range<Int>, in reader: JSONReader) -> Int? {
        let offset = range.lowerBound
        isSorted =
            isSorted && reader.isPlain(range)
            && offsets.last.map { reader.isPlain(at: $0, before: offset) } ?? true
        if !isSorted {
            if let first = find(name, at: offset, in: reader) { return first }
            if !table.isEmpty { table[name] = offset }
        }
        // Most objects have three or four members.
        if offsets.isEmpty { offsets.reserveCapacity(4) }
        offsets.append(offset)
        return nil
    }

    private mutating func find(_ name: String, at offset: Int, in reader: JSONReader) -> Int? {
        if offsets.count < 16 { return offsets.first { reader.isString(at: $0, equalTo: offset) } }
        if table.isEmpty {
            for offset in offsets { table[reader.string(at: offset)] = offset }
        }
        return table[name]
    }
}
