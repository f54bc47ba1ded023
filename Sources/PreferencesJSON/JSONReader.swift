/// Reads JSON as RFC 8259 has it, with nothing added, and keeps the place of everything.
///
/// A fault that leaves no doubt about what was meant (a duplicate name, a trailing comma, a comment, a bad escape) is
/// noted and reading goes on, so that one run finds them all. Any other ends it.
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
        bytes.withUnsafeBufferPointer { buffer in
            var reader = JSONReader(bytes: buffer)
            let root = try? reader.readDocument()
            // The fault that ended the reading is found last but may stand before one already noted.
            return Result(root: root, faults: reader.faults.sorted { $0.offset < $1.offset })
        }
    }

    /// Reads a text that must be free of faults.
    package static func parse(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONNode {
        let result = read(bytes)
        if let fault = result.faults.first { throw fault }
        guard let root = result.root else { throw JSONSyntaxError(.empty, at: 0) }
        return root
    }

    let bytes: UnsafeBufferPointer<UInt8>
    var offset = 0
    private var depth = 0
    private var faults: [JSONSyntaxError] = []

    private init(bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }
}

// MARK: - Faults

extension JSONReader {
    /// Thrown where a noted fault ends the reading.
    struct Stop: Error {}

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

extension JSONReader {
    var current: UInt8? {
        offset < bytes.count ? bytes[offset] : nil
    }

    private mutating func readDocument() throws(Stop) -> JSONNode {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            try note(.byteOrderMark, at: 0)
            offset = 3
        }
        try skipSpace()
        guard current != nil else { throw stop(.empty, at: 0) }
        let root = try readValue()
        try skipSpace()
        if current != nil { throw stop(.contentAfterValue, at: offset) }
        return root
    }

    private mutating func readValue() throws(Stop) -> JSONNode {
        guard let first = current else { throw unexpected(expected: "a value") }
        let start = offset
        let content: JSONNode.Content
        switch first {
        case UInt8(ascii: "{"): content = .object(try readObject())
        case UInt8(ascii: "["): content = .array(try readArray())
        case UInt8(ascii: "\""): content = .string(try readString())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): content = .number(try readNumber())
        case UInt8(ascii: "t") where readWord("true"): content = .bool(true)
        case UInt8(ascii: "f") where readWord("false"): content = .bool(false)
        case UInt8(ascii: "n") where readWord("null"): content = .null
        default: throw unexpected(expected: "a value")
        }
        return JSONNode(content, range: start..<offset)
    }

    /// Moves past a literal name, unless it is the beginning of a longer word.
    private mutating func readWord(_ word: StaticString) -> Bool {
        let end = offset + word.utf8CodeUnitCount
        guard end <= bytes.count, end == bytes.count || !Self.isWordByte(bytes[end]) else { return false }
        for index in 0..<word.utf8CodeUnitCount where bytes[offset + index] != word.utf8Start[index] { return false }
        offset = end
        return true
    }

    private mutating func readArray() throws(Stop) -> [JSONNode] {
        var elements: [JSONNode] = []
        try readItems(closing: UInt8(ascii: "]"), expected: "',' or ']'") { reader throws(Stop) in
            elements.append(try reader.readValue())
        }
        return elements
    }

    private mutating func readObject() throws(Stop) -> [JSONMember] {
        var members: [JSONMember] = []
        // In a sorted object, as stores write them, a name that comes after the last is none of those before. Of others,
        // small objects, nearly all of them, are searched; only large ones are worth a table.
        var isSorted = true
        var offsets: [String: Int] = [:]
        let objectStart = offset
        try readItems(closing: UInt8(ascii: "}"), expected: "',' or '}'") { reader throws(Stop) in
            let start = reader.offset
            guard reader.current == UInt8(ascii: "\"") else {
                throw reader.unexpected(expected: "a name in double quotes")
            }
            let name = try reader.readString()
            let nameRange = start..<reader.offset
            try reader.skipSpace()
            guard reader.current == UInt8(ascii: ":") else { throw reader.unexpected(expected: "':'") }
            reader.offset += 1
            try reader.skipSpace()
            let value = try reader.readValue()

            isSorted = isSorted && members.last.map { $0.name < name } ?? true
            let first: Int?
            if isSorted {
                first = nil
            } else if members.count < 16 {
                first = members.firstIndex { $0.name == name }.map { members[$0].nameRange.lowerBound }
            } else {
                if offsets.isEmpty {
                    // As many as there are to come, if they are as long as these were; but nobody's text decides how
                    // much memory it takes.
                    let length = (reader.offset - objectStart) / members.count
                    offsets.reserveCapacity(min((reader.bytes.count - objectStart) / length, 10_000))
                    for member in members { offsets[member.name] = member.nameRange.lowerBound }
                }
                first = offsets[name]
            }
            if let first {
                try reader.note(.duplicateName(name, firstOffset: first), at: start)
            } else {
                // Otherwise room is made for one, then for two, then for four: most objects have three or four.
                if members.isEmpty { members.reserveCapacity(4) }
                members.append(JSONMember(name: name, nameRange: nameRange, value: value))
                if !offsets.isEmpty { offsets[name] = start }
            }
        }
        return members
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
