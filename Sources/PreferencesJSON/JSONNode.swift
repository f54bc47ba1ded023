/// A JSON value and its range in the text.
package struct JSONNode: Sendable {
    /// The value itself, without its range.
    package var content: Content
    /// The range of the value in the text, in bytes.
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

    /// The type of the value for use in messages: `a string`, `an object`, …
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

/// A member of a JSON object.
package struct JSONMember: Sendable {
    package var name: String
    /// The range of the name in the text, in bytes, including the quotes.
    package var nameRange: Range<Int>
    package var value: JSONNode

    package init(name: String, nameRange: Range<Int>, value: JSONNode) {
        self.name = name
        self.nameRange = nameRange
        self.value = value
    }
}

/// A JSON number as written. JSON limits neither the size nor the precision of numbers, so the value depends on the
/// type that the number is read as.
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

    /// Returns the number as an integer, or nil if it is not a whole number or is out of the type's range. `70.0` and
    /// `7e1` are whole numbers.
    package func exactly<Integer: FixedWidthInteger>(_ type: Integer.Type) -> Integer? {
        if let integer = Integer(text) { return integer }
        guard !isWrittenAsInteger else { return text == "-0" ? 0 : nil }
        return DecimalNumber(self).flatMap { $0.scaled(byPowerOfTen: 0) }.flatMap { Integer(exactly: $0) }
    }

    /// The nearest double, or nil if that would be infinite. RFC 8259 §6 expects no higher precision of a reader.
    package var double: Double? {
        Double(text).flatMap { $0.isFinite ? $0 : nil }
    }

    /// The nearest single-precision number, or nil if that would be infinite.
    package var float: Float? {
        Float(text).flatMap { $0.isFinite ? $0 : nil }
    }

    /// Returns the number times ten to the power of `exponent`, or nil if that is not a whole number or exceeds the
    /// range of `Int128`.
    package func scaled(byPowerOfTen exponent: Int) -> Int128? {
        DecimalNumber(self)?.scaled(byPowerOfTen: exponent)
    }
}

/// The decimal digits and the exponent of a number, which represent it exactly.
private struct DecimalNumber {
    /// The digits as a signed whole number, without trailing zeros.
    var digits: Int128
    /// The power of ten by which `digits` is multiplied.
    var exponent: Int

    /// Returns nil if the digits or the exponent overflow.
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
