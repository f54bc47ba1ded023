extension JSONReader {
    /// Reads a string, starting at its opening quote.
    package mutating func readString() throws(Stop) -> String {
        let quote = offset
        offset += 1
        var result = ""
        while true {
            // Most strings are a single run of plain bytes.
            let start = offset
            let isASCII = skipPlainBytes()
            let text = try text(start..<offset, isASCII: isASCII)
            if result.isEmpty { result = text } else { result += text }
            switch current {
            case UInt8(ascii: "\""):
                offset += 1
                return result
            case UInt8(ascii: "\\"):
                result.unicodeScalars.append(try readEscape())
            case nil, UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                throw stop(.unterminatedString, at: quote)
            case .some(let byte):
                try record(.controlCharacterInString(byte), at: offset)
                offset += 1
            }
        }
    }

    /// Consumes the bytes up to the next quote, backslash or control character.
    ///
    /// - Returns: Whether the consumed bytes are ASCII.
    private mutating func skipPlainBytes() -> Bool {
        var end = offset
        // Tests eight bytes at a time. (bytes - n) & ~bytes sets the highest bit of every byte less than n, and of
        // others only after such a byte. A byte of bytes ^ x is 0, and so less than 1, where it is x.
        let ones: UInt64 = 0x0101_0101_0101_0101
        var allBits: UInt64 = 0
        while end + 8 <= bytes.count {
            let eight = UnsafeRawPointer(bytes.baseAddress! + end).loadUnaligned(as: UInt64.self)
            let quotes = eight ^ (ones &* UInt64(UInt8(ascii: "\"")))
            let backslashes = eight ^ (ones &* UInt64(UInt8(ascii: "\\")))
            let found =
                (quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes | (eight &- ones &* 0x20) & ~eight
            if found & (ones << 7) != 0 { break }
            allBits |= eight
            end += 8
        }
        while end < bytes.count {
            let byte = bytes[end]
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { break }
            allBits |= UInt64(byte)
            end += 1
        }
        offset = end
        return allBits & (ones << 7) == 0
    }

    private mutating func text(_ range: Range<Int>, isASCII: Bool) throws(Stop) -> String {
        // ASCII is always valid; not validating it halves the cost of reading a string.
        if isASCII { return String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self) }
        guard let text = String(validating: bytes[range], as: UTF8.self) else {
            let valid = range.lowerBound + Self.validPrefixLength(bytes[range])
            throw stop(.invalidUTF8, at: valid)
        }
        return text
    }

    /// Returns the number of bytes before the first that is not valid UTF-8.
    private static func validPrefixLength(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        var length = 0
        while case .scalarValue(let scalar) = decoder.decode(&iterator) { length += UTF8.width(scalar) }
        return length
    }

    /// Reads an escape. Records an invalid one, and returns U+FFFD for it.
    private mutating func readEscape() throws(Stop) -> Unicode.Scalar {
        let start = offset
        offset += 1
        // An escape cut off by the end of the text is reported as an unterminated string.
        guard let letter = current else { return "\u{FFFD}" }
        offset += 1
        switch letter {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            guard let unit = readHexadecimal() else { break }
            if let scalar = Unicode.Scalar(unit) { return scalar }
            if UTF16.isLeadSurrogate(unit), let scalar = readTrailSurrogate(after: unit) { return scalar }
            try record(.loneSurrogate, at: start)
            return "\u{FFFD}"
        default:
            // The byte may be a line end or the start of a longer character, which the caller's loop handles.
            offset = start + 1
        }
        try record(.invalidEscape, at: start)
        return "\u{FFFD}"
    }

    /// Consumes the second escape of a surrogate pair, if there is one.
    private mutating func readTrailSurrogate(after lead: UInt16) -> Unicode.Scalar? {
        let start = offset
        if offset + 2 <= bytes.count, bytes[offset] == UInt8(ascii: "\\"), bytes[offset + 1] == UInt8(ascii: "u") {
            offset += 2
            if let trail = readHexadecimal(), UTF16.isTrailSurrogate(trail) {
                // Unicode Standard, table 3-5.
                return Unicode.Scalar(0x1_0000 + (UInt32(lead & 0x3FF) << 10 | UInt32(trail & 0x3FF)))
            }
        }
        offset = start
        return nil
    }

    /// Consumes four hexadecimal digits, if there are as many.
    private mutating func readHexadecimal() -> UInt16? {
        guard offset + 4 <= bytes.count else { return nil }
        var unit: UInt16 = 0
        for byte in bytes[offset..<offset + 4] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            unit = unit << 4 | UInt16(digit)
        }
        offset += 4
        return unit
    }
}

extension JSONReader {
    /// Reads a number.
    package mutating func readNumber() throws(Stop) -> JSONNumber {
        let start = offset
        try skipNumber()
        return JSONNumber(text: String(decoding: bytes[start..<offset], as: UTF8.self))
    }

    /// Consumes a number.
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

    private mutating func readDigits(after preceding: String, start: Int) throws(Stop) {
        guard isAtDigit else { throw stop(.invalidNumber("expected a digit after \(preceding)"), at: start) }
        while isAtDigit { offset += 1 }
    }
}
