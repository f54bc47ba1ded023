/// Reads JSON as RFC 8259 has it, with nothing added, and keeps the place of everything.
///
/// A fault that leaves no doubt about what was meant (a duplicate name, a trailing comma, a comment, a bad escape) is
/// noted and reading goes on, so that one run finds them all. Any other ends it.
///
/// The grammar is here once. What is made of a text is the caller's: a tree of ``JSONNode``, the places of an object's
/// members (``JSONOutline``), or values of the caller's own.
package struct JSONReader {
    /// How deep arrays and objects may be nested. RFC 8259 §9 lets a reader set a limit; this one keeps the recursion, in
    /// debug builds some 2 KiB a level, well within the 512 KiB that secondary threads get on Apple platforms.
    package static let maximumDepth = 128

    /// After this many faults reading ends: what follows helps nobody.
    package static let maximumFaults = 100

    package struct Result: Sendable {
        /// The value that the text holds; nil where a fault ended the reading.
        package var root: JSONNode?
        /// In the order of the text.
        package var faults: [JSONSyntaxError]
    }

    /// Reads a text, collecting its faults.
    package static func read(_ bytes: [UInt8]) -> Result {
        let (root, faults) = read(bytes) { reader throws(Stop) in try reader.readValue() }
        return Result(root: root, faults: faults)
    }

    /// Reads a text that must be free of faults.
    package static func parse(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONNode {
        try parse(bytes) { reader throws(Stop) in try reader.readValue() }
    }

    /// Reads a text that must be free of faults.
    ///
    /// - Parameter readRoot: Moves past the outermost value, and returns what the caller makes of it.
    package static func parse<Root>(
        _ bytes: [UInt8],
        _ readRoot: (inout JSONReader) throws(Stop) -> Root
    ) throws(JSONSyntaxError) -> Root {
        let (root, faults) = read(bytes, readRoot)
        if let fault = faults.first { throw fault }
        guard let root else { throw JSONSyntaxError(.empty, at: 0) }
        return root
    }

    /// Runs a body with a reader of a part of a text, which is known to be free of faults.
    ///
    /// - Parameters:
    ///   - offset: The first byte of the part.
    ///   - body: Moves past the part, and returns what the caller makes of it; nil where the text is not what it was.
    package static func reading<Part>(
        _ bytes: [UInt8],
        from offset: Int,
        _ body: (inout JSONReader) throws(Stop) -> Part
    ) -> Part? {
        bytes.withUnsafeBufferPointer { buffer in
            var reader = JSONReader(bytes: buffer)
            reader.offset = offset
            return try? body(&reader)
        }
    }

    private static func read<Root>(
        _ bytes: [UInt8],
        _ readRoot: (inout JSONReader) throws(Stop) -> Root
    ) -> (root: Root?, faults: [JSONSyntaxError]) {
        bytes.withUnsafeBufferPointer { buffer in
            var reader = JSONReader(bytes: buffer)
            let root = try? reader.readDocument(readRoot)
            // The fault that ended the reading is found last but may stand before one already noted.
            return (root, reader.faults.sorted { $0.offset < $1.offset })
        }
    }

    let bytes: UnsafeBufferPointer<UInt8>
    /// The next byte to be read.
    package internal(set) var offset = 0
    private var depth = 0
    private var faults: [JSONSyntaxError] = []

    private init(bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }
}

// MARK: - Faults

extension JSONReader {
    /// Thrown where a noted fault ends the reading.
    package struct Stop: Error {}

    mutating func note(_ fault: JSONSyntaxError.Fault, at offset: Int) throws(Stop) {
        faults.append(JSONSyntaxError(fault, at: offset))
        if faults.count >= Self.maximumFaults { throw Stop() }
    }

    mutating func stop(_ fault: JSONSyntaxError.Fault, at offset: Int) -> Stop {
        faults.append(JSONSyntaxError(fault, at: offset))
        return Stop()
    }

    /// The fault of finding something else than `expected` at the current offset.
    mutating func unexpected(expected: String) -> Stop {
        guard let byte = current else { return stop(.unexpectedEnd(expected: expected), at: offset) }
        var end = offset
        if Self.isWordByte(byte) {
            // A whole word (`True`, `NaN`) says more than its first letter; a very long one does not.
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

    /// A word or character in quotes, or the code point of a character that would not be seen.
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

/// How a value begins.
package enum JSONToken: Sendable {
    case null
    case bool(Bool)
    case number
    case string
    case array
    case object

    /// The value's type in words that fit a message: `a string`, `an object`, …
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
            try note(.byteOrderMark, at: 0)
            offset = 3
        }
        try skipSpace()
        guard current != nil else { throw stop(.empty, at: 0) }
        let root = try readRoot(&self)
        try skipSpace()
        if current != nil { throw stop(.contentAfterValue, at: offset) }
        return root
    }

    /// Says how the value here begins, and moves past `null`, `true` and `false`, which are whole values.
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

    /// Moves past a value, noting its faults, and keeps nothing of it.
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

    /// Moves past a literal name, unless it is the beginning of a longer word.
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
            // Otherwise room is made for one, then for two, then for four: most objects have three or four.
            if members.isEmpty { members.reserveCapacity(4) }
            if isNew { members.append(JSONMember(name: name, nameRange: range, value: value)) }
        }
        return members
    }

    /// Reads an array.
    ///
    /// - Parameter readElement: Moves past one element.
    package mutating func readElements(_ readElement: (inout JSONReader) throws(Stop) -> Void) throws(Stop) {
        try readItems(closing: UInt8(ascii: "]"), expected: "',' or ']'", readElement)
    }

    /// Reads an object, and notes the names that it has more than once.
    ///
    /// - Parameter readMember: Moves past the value of a member. It is given the member's name, that one's bytes with the
    ///   quotes, and whether the object does not have the name already.
    package mutating func readMembers(
        _ readMember: (inout JSONReader, _ name: String, _ nameRange: Range<Int>, _ isNew: Bool) throws(Stop) -> Void
    ) throws(Stop) {
        var names = NamesOfObject()
        try readItems(closing: UInt8(ascii: "}"), expected: "',' or '}'") { reader throws(Stop) in
            let (name, range) = try reader.readName()
            let first = names.insert(name, at: range, in: reader)
            if let first { try reader.note(.duplicateName(name, firstOffset: first), at: range.lowerBound) }
            try readMember(&reader, name, range, first == nil)
        }
    }

    /// Reads a member's name, and moves to its value.
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

    /// The name of the first member of the object here, if it begins with a byte; the reader is at its value then.
    package mutating func firstName(startingWith byte: UInt8) -> String? {
        do {
            offset += 1
            try skipSpace()
            // Most names begin with another letter, and are not worth a string.
            guard offset + 1 < bytes.count, bytes[offset + 1] == byte || bytes[offset + 1] == UInt8(ascii: "\\") else {
                return nil
            }
            return try readName().name
        } catch {
            return nil
        }
    }

    /// Whether the object ends here, after a member.
    package mutating func isAtEndOfObject() -> Bool {
        (try? skipSpace()) != nil && current == UInt8(ascii: "}")
    }

    /// The string at an offset, which was read before. Its faults are not noted again.
    fileprivate func string(at offset: Int) -> String {
        var reader = JSONReader(bytes: bytes)
        reader.offset = offset
        return (try? reader.readString()) ?? ""
    }

    /// Whether a string, whose bytes with the quotes are given, is of ASCII without escapes.
    fileprivate func isPlain(_ range: Range<Int>) -> Bool {
        bytes[range].allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: "\\") }
    }

    /// Whether a plain string at an offset comes before another.
    fileprivate func isPlain(at first: Int, before second: Int) -> Bool {
        var index = 1
        while bytes[first + index] == bytes[second + index] {
            if bytes[first + index] == UInt8(ascii: "\"") { return false }
            index += 1
        }
        // A quote ends one that the other begins with, and comes before all but '!' and the space.
        let (byte, other) = (bytes[first + index], bytes[second + index])
        return byte == UInt8(ascii: "\"") || (other != UInt8(ascii: "\"") && byte < other)
    }

    /// Whether the strings at two offsets are equal.
    fileprivate func isString(at first: Int, equalTo second: Int) -> Bool {
        var index = 1
        while true {
            let (byte, other) = (bytes[first + index], bytes[second + index])
            // Escapes have to be decoded, and strings of other scalars than ASCII can be canonically equivalent.
            if byte == UInt8(ascii: "\\") || other == UInt8(ascii: "\\") || byte | other >= 0x80 {
                return string(at: first) == string(at: second)
            }
            guard byte == other else { return false }
            if byte == UInt8(ascii: "\"") { return true }
            index += 1
        }
    }

    /// Reads what stands between an opening bracket and its closing one, commas apart.
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
                    try note(.trailingComma, at: comma)
                    offset += 1
                    return
                }
            case UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "["):
                // The start of another item: only the comma can be missing.
                try note(.missingComma, at: offset)
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

    /// Moves past a comment; false where the slash begins none.
    private mutating func skipComment() throws(Stop) -> Bool {
        let start = offset
        switch start + 1 < bytes.count ? bytes[start + 1] : 0 {
        case UInt8(ascii: "/"):
            try note(.comment, at: start)
            while let byte = current, byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") { offset += 1 }
            return true
        case UInt8(ascii: "*"):
            try note(.comment, at: start)
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

/// The names of one object, for finding those that it has more than once.
///
/// In a sorted object, as stores write them, a name that comes after the last is none of those before. Of others, small
/// objects, nearly all of them, are searched; only large ones are worth a table. Names are kept by their places, which take
/// less memory than the text has bytes.
private struct NamesOfObject {
    private var places: [Int] = []
    private var isSorted = true
    private var table: [String: Int] = [:]

    /// Adds a name.
    ///
    /// - Parameter range: Its bytes with the quotes.
    /// - Returns: The place of the same name, if the object has it already; the new one is not added then.
    mutating func insert(_ name: String, at range: Range<Int>, in reader: JSONReader) -> Int? {
        let place = range.lowerBound
        isSorted =
            isSorted && reader.isPlain(range)
            && places.last.map { reader.isPlain(at: $0, before: place) } ?? true
        if !isSorted {
            if let first = find(name, at: place, in: reader) { return first }
            if !table.isEmpty { table[name] = place }
        }
        // Most objects have three or four members.
        if places.isEmpty { places.reserveCapacity(4) }
        places.append(place)
        return nil
    }

    private mutating func find(_ name: String, at place: Int, in reader: JSONReader) -> Int? {
        if places.count < 16 { return places.first { reader.isString(at: $0, equalTo: place) } }
        if table.isEmpty {
            for place in places { table[reader.string(at: place)] = place }
        }
        return table[name]
    }
}
