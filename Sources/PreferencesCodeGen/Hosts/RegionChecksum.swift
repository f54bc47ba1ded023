/// The checksum in a region's end marker, which tells a region that was edited by hand from one that is out of date.
///
/// FNV-1a of 64 bits (Fowler, Noll and Vo; draft-eastlake-fnv, "The FNV Non-Cryptographic Hash Algorithm", §2 and §5)
/// over the region's lines without their indentation and ends, each followed by a line feed. So a formatter that
/// indents in its own way, and Git when it changes line ends, edit nothing.
enum RegionChecksum {
    static let digits = 16

    static func checksum(of lines: [[UInt8]]) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for line in lines {
            for byte in line + [UInt8(ascii: "\n")] {
                hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
            }
        }
        let text = String(hash, radix: 16)
        return String(repeating: "0", count: digits - text.utf8.count) + text
    }
}
