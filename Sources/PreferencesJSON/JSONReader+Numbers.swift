extension JSONReader {
    /// Reads a number.
    package mutating func readNumber() throws(Stop) -> JSONNumber {
        let start = offset
        try skipNumber()
        return JSONNumber(text: String(decoding: bytes[start..<offset], as: UTF8.self))
    }

    /// Moves past a number.
    mutating func skipNumber() throws(Stop) {
        let start = offset
        if current == UInt8(ascii: "-") { offset += 1 }
        if current == UInt8(ascii: "0") {
            offset += 1
            if isAtDigit { throw stop(.invalidNumber("a leading zero is not allowed"), at: start) }
        } else {
            try readDigits(after: "'-'", start: start)
        }
        if current == UInt8(ascii: ".") {
            offset += 1
            try readDigits(after: "the decimal point", start: start)
        }
        if let byte = current, byte | 0x20 == UInt8(ascii: "e") {
            offset += 1
            if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { offset += 1 }
            try readDigits(after: "the exponent mark", start: start)
        }
        if let byte = current, Self.isWordByte(byte) || byte == UInt8(ascii: ".") {
            throw unexpected(expected: "the end of the number")
        }
    }

    private var isAtDigit: Bool {
        current.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
    }

    private mutating func readDigits(after place: String, start: Int) throws(Stop) {
        guard isAtDigit else { throw stop(.invalidNumber("expected a digit after \(place)"), at: start) }
        while isAtDigit { offset += 1 }
    }
}
