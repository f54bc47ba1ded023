/// A number that is the same for texts that are alike, and hardly ever the same for others: thousands are told apart by it
/// without memory for any.
///
/// It is the FNV-1a hash (RFC 9923) of their bytes.
struct Fingerprint {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    private mutating func add(_ byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 0x100_0000_01b3
    }

    mutating func add(_ number: Int) {
        for shift in stride(from: 0, to: Int.bitWidth, by: 8) { add(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    /// Adds a text; two that Swift takes for equal have one fingerprint.
    mutating func add(_ text: String) {
        addEqual(text)
        // Parts one text from the next.
        add(0xFF as UInt8)
    }

    /// Adds a name's letters and digits, in lower case, and its colons.
    mutating func add(folding name: String) {
        let former = value
        let isASCII = addASCII(name) { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: ":"): byte
            default: nil
            }
        }
        guard !isASCII else { return }
        value = former
        addEqual(name.lowercased().filter { $0.isLetter || $0.isNumber || $0 == ":" })
    }

    private mutating func addEqual(_ text: String) {
        let former = value
        guard !addASCII(text, { $0 }) else { return }
        // Equal texts may differ in their bytes, but not in what Swift makes of them.
        value = former
        add(text.hashValue)
    }

    /// Adds a text's bytes up to the first that is not ASCII.
    ///
    /// - Returns: Whether there is none.
    private mutating func addASCII(_ text: String, _ fold: (UInt8) -> UInt8?) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            for byte in bytes {
                guard byte < 0x80 else { return false }
                if let byte = fold(byte) { add(byte) }
            }
            return true
        }
    }
}
