/// A JSON text that was checked as a whole, and of which nothing is kept but where the members of its outermost object are.
package struct JSONOutline: Sendable {
    /// How the outermost value begins. Anything but an object has no members.
    package let root: JSONToken
    /// The first byte of the outermost value.
    package let start: Int
    /// The bytes of each member, from the first quote of its name to the end of its value, in the order of the text.
    package private(set) var members: [Range<Int>] = []
    /// Whether each name comes after the one before, by the order of `String`.
    package private(set) var isSorted = true
    /// Whether the bytes between the quotes are those of the name itself, and ASCII, for all names.
    package private(set) var hasPlainNames = true

    /// Checks a text.
    ///
    /// - Throws: The first fault.
    package init(_ bytes: [UInt8]) throws(JSONSyntaxError) {
        self = try JSONReader.parse(bytes) { reader throws(JSONReader.Stop) in try JSONOutline(reading: &reader) }
    }

    private init(reading reader: inout JSONReader) throws(JSONReader.Stop) {
        start = reader.offset
        var look = reader
        // A fault here is found again below, and noted then.
        root = (try? look.readToken()) ?? .null
        guard case .object = root else {
            try reader.skipValue()
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
        (self.members, self.isSorted, self.hasPlainNames) = (members, isSorted, hasPlainNames)
    }
}
