/// One JSON value, and where it stands in the text that it was read from.
package struct JSONNode: Sendable {
    /// What the value is.
    package var content: Content
    /// The value's bytes in the text: from the first to just past the last.
    package var range: Range<Int>

    package init(_ content: Content, range: Range<Int>) {
        self.content = content
        self.range = range
    }

    package enum Content: Sendable {
        case null
        case bool(Bool)
        case number(JSONNumber)
        case string(String)
        case array([JSONNode])
        case object([JSONMember])
    }

    /// The value's type in words that fit a message: `a string`, `an object`, …
    package var typeDescription: String {
        let token: JSONToken =
            switch content {
            case .null: .null
            case .bool(let value): .bool(value)
            case .number: .number
            case .string: .string
            case .array: .array
            case .object: .object
            }
        return token.typeDescription
    }
}

/// One name and value of a JSON object, in the order of the text.
package struct JSONMember: Sendable {
    package var name: String
    /// The name's bytes in the text, quotes included.
    package var nameRange: Range<Int>
    package var value: JSONNode

    package init(name: String, nameRange: Range<Int>, value: JSONNode) {
        self.name = name
        self.nameRange = nameRange
        self.value = value
    }
}

/// A JSON number as it was written: JSON sets no limit to a number's size or precision, so what it is worth
/// depends on the type that it is read as.
package struct JSONNumber: Sendable, Hashable {
    /// The number's text, which follows the grammar of RFC 8259 §6.
    package let text: String

    package init(text: String) {
        self.text = text
    }

    /// Whether the text has neither a fraction nor an exponent.
    package var isWrittenAsInteger: Bool {
        text.utf8.allSatisfy { $0 != UInt8(ascii: ".") && $0 | 0x20 != UInt8(ascii: "e") }
    }

    /// The number as an integer of a fixed width, or nil where it is no whole number or out of that type's range.
    /// `70.0` and `7e1` are whole numbers.
    package func exactly<Integer: FixedWidthInteger>(_ type: Integer.Type) -> Integer? {
        if let integer = Integer(text) { return integer }
        guard !isWrittenAsInteger else { return text == "-0" ? 0 : nil }
        return DecimalNumber(self).flatMap { $0.scaled(byPowerOfTen: 0) }.flatMap { Integer(exactly: $0) }
    }

    /// The nearest double (RFC 8259 §6 expects no more of a reader), or nil where that would be infinite.
    package var double: Double? {
        Double(text).flatMap { $0.isFinite ? $0 : nil }
    }

    /// The nearest single-precision number, or nil where that would be infinite.
    package var float: Float? {
        Float(text).flatMap { $0.isFinite ? $0 : nil }
    }

    /// The number times ten to the power of `exponent`, or nil where that is no whole number or more than an
    /// `Int128` holds.
    package func scaled(byPowerOfTen exponent: Int) -> Int128? {
        DecimalNumber(self)?.scaled(byPowerOfTen: exponent)
    }
}

/// A number's decimal digits and exponent, with which fractions and exponents are exact where doubles are not.
private struct DecimalNumber {
    /// The digits as a whole number, sign included, without trailing zeros.
    var digits: Int128
    /// The power of ten that `digits` is multiplied with.
    var exponent: Int

    /// Nil where the digits or the exponent are more than the fields hold.
    init?(_ number: JSONNumber) {
        var mantissa = number.text.utf8[...]
        var exponent = 0
        if let mark = mantissa.firstIndex(where: { $0 | 0x20 == UInt8(ascii: "e") }) {
            guard let written = Int(Substring(mantissa[mantissa.index(after: mark)...])) else { return nil }
            exponent = written
            mantissa = mantissa[..<mark]
        }
        var trailingZeros = 0
        var digits: Int128 = 0
        var isFraction = false
        for byte in mantissa where byte != UInt8(ascii: "-") {
            guard byte != UInt8(ascii: ".") else {
                isFraction = true
                continue
            }
            if isFraction {
                let (difference, overflow) = exponent.subtractingReportingOverflow(1)
                guard !overflow else { return nil }
                exponent = difference
            }
            guard byte != UInt8(ascii: "0") else {
                trailingZeros += 1
                continue
            }
            for _ in 0...trailingZeros {
                let (product, overflow) = digits.multipliedReportingOverflow(by: 10)
                guard !overflow else { return nil }
                digits = product
            }
            trailingZeros = 0
            let (sum, overflow) = digits.addingReportingOverflow(Int128(byte - UInt8(ascii: "0")))
            guard !overflow else { return nil }
            digits = sum
        }
        self.digits = mantissa.first == UInt8(ascii: "-") ? -digits : digits
        let (total, overflow) = exponent.addingReportingOverflow(trailingZeros)
        guard !overflow else { return nil }
        self.exponent = total
    }

    func scaled(byPowerOfTen power: Int) -> Int128? {
        guard digits != 0 else { return 0 }
        let (total, overflow) = exponent.addingReportingOverflow(power)
        // An Int128 has at most 39 digits.
        guard !overflow, (0...38).contains(total) else { return nil }
        var result = digits
        for _ in 0..<total {
            let (product, overflow) = result.multipliedReportingOverflow(by: 10)
            guard !overflow else { return nil }
            result = product
        }
        return result
    }
}
