import Foundation
import PreferencesSchema

/// Converts numbers of other formats to the grammar of JSON.
enum NumberParser {
    /// Returns an integer: signed or unsigned, decimal or, with the prefix `0x`, hexadecimal.
    static func integer(_ text: String) -> String? {
        let sign = text.hasPrefix("-") ? "-" : ""
        let digits = text.hasPrefix("-") || text.hasPrefix("+") ? String(text.dropFirst()) : text
        guard digits.first?.isNumber == true else { return nil }
        let isHexadecimal = digits.lowercased().hasPrefix("0x")
        let magnitude = isHexadecimal ? Int128(digits.dropFirst(2), radix: 16) : Int128(digits)
        return magnitude.map { $0 == 0 ? "0" : "\(sign)\($0)" }
    }

    /// Returns a finite number, unchanged if it is valid JSON; `nil` if a nonzero number would be 0 as a Double.
    static func decimal(_ text: String) -> String? {
        var json: String?
        if case .number(let number)? = (try? JSONReader.parse(Array(text.utf8)))?.content { json = number.text }
        guard json != nil || text.first.map({ $0.isNumber || "+-.".contains($0) }) == true,
            let value = Double(json ?? text), value.isFinite
        else { return nil }
        let mantissa = (json ?? text).prefix { !"eEpP".contains($0) }
        guard value != 0 || mantissa.allSatisfy({ "+-0.xX".contains($0) }) else { return nil }
        return json ?? "\(value)"
    }

    /// Returns a number of a Swift type; `nil` if the type cannot represent it, or is not numeric.
    static func number(_ text: String, ofType type: String) -> String? {
        if type == "Double" || type == "Float" { return decimal(text) }
        guard let integer = integer(text), let value = Int128(integer), let range = ranges[type] else { return nil }
        return range.contains(value) ? integer : nil
    }

    /// Whether a Double, rounded to the number of digits in the text, equals the text.
    static func isPreservedByDouble(_ text: String) -> Bool {
        // A number with an exponent was most likely formatted from a Double.
        guard let value = Double(text), !text.contains(where: { "eE".contains($0) }) else { return true }
        let parts = text.split(separator: ".")
        var fraction = parts.count > 1 ? parts[1] : ""
        while fraction.last == "0" { fraction.removeLast() }
        guard fraction.count <= maximumFraction else { return false }
        let digits = fraction.isEmpty ? String(parts[0]) : "\(parts[0]).\(fraction)"
        return String(format: "%.\(fraction.count)f", value) == digits
    }

    /// The maximum number of fraction digits of a Double.
    private static let maximumFraction = 1074

    private static let ranges: [String: ClosedRange<Int128>] = [
        "Int": range(Int64.self), "Int8": range(Int8.self), "Int16": range(Int16.self), "Int32": range(Int32.self),
        "Int64": range(Int64.self), "UInt": range(UInt64.self), "UInt8": range(UInt8.self),
        "UInt16": range(UInt16.self), "UInt32": range(UInt32.self), "UInt64": range(UInt64.self),
    ]

    private static func range<Integer: FixedWidthInteger>(_ type: Integer.Type) -> ClosedRange<Int128> {
        Int128(Integer.min)...Int128(Integer.max)
    }
}
