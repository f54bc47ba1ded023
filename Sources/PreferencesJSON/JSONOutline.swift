/// The kind and the members of a JSON text's outermost value, without their contents. The whole text is validated.
package struct JSONOutline: Sendable {
    /// The kind of the outermost value. Only an object has members.
    package let root: JSONToken
    /// The offset of the outermost value's first byte.
    package let start: Int
    /// The offset after the outermost value's last byte.
    package let end: Int
    /// The range of each member in bytes, from the opening quote of its name to the end of its value, in source
    /// order.
    package private(set) var members: [Range<Int>] = []
    /// Whether the names are sorted in ascending order of `String`.
    package private(set) var isSorted = true
    /// Whether all names are ASCII and written without escapes.
    package private(set) var hasPlainNames = true

    /// Whether there are comments before the end of the outermost value, or in it.
    package let hasComments: Bool

    /// Validates a text.
    ///
    /// - Parameter permitsComments: Whether comments and trailing commas are no faults.
    /// - Throws: The first fault.
    package init(_ bytes: [UInt8], permitsComments: Bool = false) throws(JSONSyntaxError) {
        self = try JSONReader.parse(bytes, permitsComments: permitsComments) { reader throws(JSONReader.Stop) in
            try JSONOutline(reading: &reader)
        }
    }

    private init(reading reader: inout JSONReader) throws(JSONReader.Stop) {
        start = reader.offset
        var lookahead = reader
        // If this token is faulty, `skipValue` records the fault.
        root = (try? lookahead.readToken()) ?? .null
        guard case .object = root else {
            try reader.skipValue()
            (end, hasComments) = (reader.offset, reader.hasComments)
            return
        }
        var members: [Range<Int>] = []
        var last: String?
        var (isSorted, hasPlainNames) = (true, true)
        try reader.readMembers { reader, name, range, isNew throws(JSONReader.Stop) in
            try reader.skipValue()
            if isNew { members.append(range.lowerBound..<reader.offset) }
            isSorted = isSorted && last.map { $0 < name } ?? true
            last = name
            hasPlainNames = hasPlainNames && name.utf8.count == range.count - 2 && name.utf8.allSatisfy { $0 < 0x80 }
        }
        (end, hasComments) = (reader.offset, reader.hasComments)
        (self.members, self.isSorted, self.hasPlainNames) = (members, isSorted, hasPlainNames)
    }
}
