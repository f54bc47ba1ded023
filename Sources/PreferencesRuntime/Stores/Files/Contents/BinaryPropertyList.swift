/// What is looked for in a binary property list before Foundation reads it.
///
/// CoreFoundation's `CFBinaryPList.c` has the format: a header, objects, a table of where each of them begins, and a trailer
/// of 32 bytes that says where the table is; integers are big-endian. The upper half of an object's first byte is its type.
package enum BinaryPropertyList {
    /// Whether there is a set in it, with which Foundation on Linux ends the program. No property list has one; it takes
    /// one bit to make it of a dictionary.
    package static func hasSet(_ bytes: [UInt8]) -> Bool {
        let trailer = bytes.count - 32
        guard trailer > 0, bytes.starts(with: Array("bplist".utf8)) else { return false }
        let width = UInt64(bytes[trailer + 6])
        let count = integer(bytes[(trailer + 8)..<(trailer + 16)])
        let table = integer(bytes[(trailer + 24)...])
        // Else it is none, as Foundation says.
        guard width > 0, table < trailer, count <= (UInt64(trailer) - table) / width else { return false }
        return (0..<count).contains { number in
            let place = Int(table + number * width)
            let offset = integer(bytes[place..<(place + Int(width))])
            return offset < trailer && bytes[Int(offset)] >> 4 == 0xC
        }
    }

    private static func integer(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
