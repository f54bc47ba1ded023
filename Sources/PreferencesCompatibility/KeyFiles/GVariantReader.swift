import Foundation
import PreferencesRuntime

/// The style of a container's text, which is kept when the value changes, since GSettings reads no other one for a key
/// of that type.
enum GVariantStyle {
    case plain
    /// Each element is a variant: `{'a': <1>}`.
    case variants
    /// A tuple: `(1, 'a')`.
    case tuple
}

/// Parses a value in the GVariant text format (https://docs.gtk.org/glib/gvariant-text-format.html). Its type is not
/// known: numbers without a point are integers, and variants and tuples are read as their contents.
struct GVariantReader {
    /// The reason why a text cannot be read.
    struct SyntaxError: Error {
        var message = "this is not a value in the GVariant text format"
    }

    private var rest: ArraySlice<UInt8>
    private var depth = 0
    private(set) var style = GVariantStyle.plain
    /// Whether the value that was read last is marked as a `byte`.
    private var isByte = false

    init(_ text: ArraySlice<UInt8>) {
        rest = text
    }

    /// Returns the whole text's value.
    mutating func read() throws(SyntaxError) -> PreferenceValue {
        let value = try value()
        skipSpace()
        guard rest.isEmpty else { throw SyntaxError() }
        return value
    }

    private mutating func skipSpace() {
        rest = rest.drop(while: KeyFileBytes.isSpace)
    }

    private mutating func take(_ byte: Unicode.Scalar) -> Bool {
        skipSpace()
        guard rest.first == UInt8(ascii: byte) else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func value() throws(SyntaxError) -> PreferenceValue {
        skipSpace()
        isByte = false
        guard let first = rest.first, depth < StoreFileLimits.depth else { throw SyntaxError() }
        depth += 1
        defer { depth -= 1 }
        switch first {
        case UInt8(ascii: "'"), UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "["): return try array()
        case UInt8(ascii: "{"):
            guard case .dictionary(let entries) = try braces() else { throw SyntaxError() }
            return .dictionary(entries)
        case UInt8(ascii: "("):
            if depth == 1 { style = .tuple }
            return .array(try items(from: "(", to: ")"))
        case UInt8(ascii: "<"): return try variant()
        case UInt8(ascii: "@"):
            let signature = rest.prefix { !KeyFileBytes.isSpace($0) }
            rest = rest.dropFirst(signature.count)
            skipSpace()
            // A value has one type.
            if rest.first == UInt8(ascii: "@") { throw SyntaxError() }
            depth -= 1
            defer { depth += 1 }
            return try Self.converted(try value(), to: String(decoding: signature.dropFirst(), as: UTF8.self))
        case UInt8(ascii: "b") where rest.dropFirst().first.map { "'\"".utf8.contains($0) } ?? false:
            rest.removeFirst()
            return .data(Data(try quoted(byteString: true) + [0]))
        default: return try word()
        }
    }

    private mutating func variant() throws(SyntaxError) -> PreferenceValue {
        if depth == 2 { style = .variants }
        guard take("<") else { throw SyntaxError() }
        let value = try value()
        guard take(">") else { throw SyntaxError() }
        isByte = false
        return value
    }

    /// Converts a value to a basic type, or to bytes. The types of other containers do not matter.
    private static func converted(_ value: PreferenceValue, to type: String) throws(SyntaxError) -> PreferenceValue {
        switch (type, value) {
        case ("d", .int(let integer)): return .double(Double(integer))
        case ("d", .unsignedInt(let integer)): return .double(Double(integer))
        case ("ay", .array(let elements)):
            guard let data = data(of: elements) else { throw SyntaxError() }
            return .data(data)
        default: return value
        }
    }

    /// Returns the bytes of integers; nil if other elements are among them.
    static func data(of elements: [PreferenceValue]) -> Data? {
        var data = Data(capacity: elements.count)
        for element in elements {
            guard case .int(let integer) = element, let byte = UInt8(exactly: integer) else { return nil }
            data.append(byte)
        }
        return data
    }

    // MARK: - Words and numbers

    /// The words before a value that state its type, with the type's signature.
    private static let types = [
        "boolean": "b", "byte": "y", "int16": "n", "uint16": "q", "int32": "i", "handle": "h", "uint32": "u",
        "int64": "x", "uint64": "t", "double": "d", "string": "s", "objectpath": "o", "signature": "g",
    ]

    private mutating func word() throws(SyntaxError) -> PreferenceValue {
        let bytes = rest.prefix { byte in
            let scalar = Unicode.Scalar(byte)
            return byte < 0x80 && (scalar.properties.isAlphabetic || "0123456789+-._".unicodeScalars.contains(scalar))
        }
        rest = rest.dropFirst(bytes.count)
        let word = String(decoding: bytes, as: UTF8.self)
        if let type = Self.types[word] {
            let value = try Self.converted(try value(), to: type)
            isByte = type == "y"
            return value
        }
        switch word {
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "nothing": return .null
        case "just": return try value()
        default: return try Self.number(word)
        }
    }

    private static func number(_ text: String) throws(SyntaxError) -> PreferenceValue {
        let isNegative = text.hasPrefix("-")
        let digits = isNegative || text.hasPrefix("+") ? text.dropFirst() : text[...]
        if ["inf", "infinity", "nan"].contains(digits.lowercased()) {
            guard let number = Double(text), !number.isFinite else { throw SyntaxError() }
            return .double(number)
        }
        var magnitude: UInt64?
        if digits.hasPrefix("0x") || digits.hasPrefix("0X") {
            magnitude = UInt64(digits.dropFirst(2), radix: 16)
        } else if digits.contains(where: { ".eE".contains($0) }) {
            guard let number = Double(text) else { throw SyntaxError() }
            return .double(number)
        } else {
            // GLib parses integers with strtoull(3), to which a leading zero means an octal number.
            magnitude = UInt64(digits, radix: digits.hasPrefix("0") ? 8 : 10)
        }
        guard let magnitude else { throw SyntaxError() }
        if !isNegative, let value = PreferenceValue.integer(magnitude) { return value }
        guard magnitude <= 1 << 63 else { throw SyntaxError() }
        return .int(Int64(truncatingIfNeeded: 0 &- magnitude))
    }

    // MARK: - Containers

    private mutating func items(from opening: Unicode.Scalar, to closing: Unicode.Scalar) throws(SyntaxError)
        -> [PreferenceValue]
    {
        guard take(opening) else { throw SyntaxError() }
        var items: [PreferenceValue] = []
        while !take(closing) {
            if !items.isEmpty {
                guard take(",") else { throw SyntaxError() }
                // A tuple of one element ends with a comma.
                if closing == ")", items.count == 1, take(closing) { break }
            }
            items.append(try value())
        }
        return items
    }

    private mutating func array() throws(SyntaxError) -> PreferenceValue {
        guard take("[") else { throw SyntaxError() }
        var elements: [PreferenceValue] = []
        var entries: [String: PreferenceValue] = [:]
        var (areBytes, count) = (false, 0)
        while !take("]") {
            if count > 0, !take(",") { throw SyntaxError() }
            skipSpace()
            if rest.first == UInt8(ascii: "{") {
                switch try braces() {
                case .dictionary(let entries): elements.append(.dictionary(entries))
                case .entry(let key, let value): entries[key] = value
                }
            } else {
                elements.append(try value())
                if count == 0 { areBytes = isByte }
            }
            count += 1
        }
        isByte = false
        if !entries.isEmpty {
            guard elements.isEmpty else { throw SyntaxError() }
            return .dictionary(entries)
        }
        return areBytes ? try Self.converted(.array(elements), to: "ay") : .array(elements)
    }

    private enum Braces {
        /// `{'a': 1}`
        case dictionary([String: PreferenceValue])
        /// `{'a', 1}`, in an array.
        case entry(String, PreferenceValue)
    }

    private mutating func braces() throws(SyntaxError) -> Braces {
        guard take("{"), depth < StoreFileLimits.depth else { throw SyntaxError() }
        var entries: [String: PreferenceValue] = [:]
        while !take("}") {
            if !entries.isEmpty, !take(",") { throw SyntaxError() }
            guard case .string(let key) = try value() else {
                throw SyntaxError(message: "the keys of the dictionary are not strings")
            }
            if take(",") {
                let value = try value()
                guard entries.isEmpty, take("}") else { throw SyntaxError() }
                return .entry(key, value)
            }
            guard take(":") else { throw SyntaxError() }
            entries[key] = try value()
        }
        isByte = false
        return .dictionary(entries)
    }

    // MARK: - Strings

    private mutating func string() throws(SyntaxError) -> String {
        guard let string = String(validating: try quoted(byteString: false), as: UTF8.self) else { throw SyntaxError() }
        return string
    }

    private static let escapes: [UInt8: UInt8] = [
        UInt8(ascii: "a"): 0x07, UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A,
        UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09, UInt8(ascii: "v"): 0x0B,
    ]

    /// - Parameter byteString: Whether escapes are bytes in octal digits, and not characters in hexadecimal ones.
    private mutating func quoted(byteString: Bool) throws(SyntaxError) -> [UInt8] {
        guard let quote = rest.popFirst() else { throw SyntaxError() }
        var result: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == quote { return result }
            guard byte == UInt8(ascii: "\\") else {
                result.append(byte)
                continue
            }
            guard let letter = rest.popFirst() else { break }
            if let escaped = Self.escapes[letter] {
                result.append(escaped)
            } else if byteString, (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(letter) {
                let digits = [letter] + rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) }.prefix(2)
                rest = rest.dropFirst(digits.count - 1)
                result.append(UInt8(truncatingIfNeeded: Int(String(decoding: digits, as: UTF8.self), radix: 8) ?? 0))
            } else if !byteString, letter == UInt8(ascii: "u") || letter == UInt8(ascii: "U") {
                let digits = rest.prefix(letter == UInt8(ascii: "u") ? 4 : 8)
                guard let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16), code > 0,
                    let scalar = Unicode.Scalar(code)
                else { throw SyntaxError() }
                rest = rest.dropFirst(digits.count)
                result += Array(String(Character(scalar)).utf8)
            } else {
                result.append(letter)
            }
        }
        throw SyntaxError()
    }
}
