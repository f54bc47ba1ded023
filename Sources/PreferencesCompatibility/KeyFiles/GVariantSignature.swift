import Foundation
package import PreferencesRuntime

/// A GVariant type, which reads and formats values in the GVariant text format as `gsettings` does.
///
/// Values are those of ``GSettingsKeyfileStore``: tuples are arrays, and variants are their contents.
package indirect enum GVariantSignature: Sendable, Hashable {
    case bool
    /// An integer, by its letter: `y`, `n`, `q`, `i`, `u`, `x`, `t` or `h`.
    case integer(Character)
    case double
    case string
    /// An object path or a signature, by its letter.
    case path(Character)
    case variant
    case maybe(GVariantSignature)
    case array(GVariantSignature)
    /// A dictionary with strings as keys.
    case dictionary(GVariantSignature)
    case tuple([GVariantSignature])

    /// Parses a signature; nil if it is invalid, or has dictionaries whose keys are not strings.
    package init?(_ text: String) {
        var rest = text[...]
        guard let type = Self.take(from: &rest, depth: 0), rest.isEmpty else { return nil }
        self = type
    }

    private static func take(from rest: inout Substring, depth: Int) -> GVariantSignature? {
        guard depth < GVariantWriter.maximumDepth, let letter = rest.popFirst() else { return nil }
        switch letter {
        case "b": return .bool
        case "y", "n", "q", "i", "u", "x", "t", "h": return .integer(letter)
        case "d": return .double
        case "s": return .string
        case "o", "g": return .path(letter)
        case "v": return .variant
        case "m": return take(from: &rest, depth: depth + 1).map(GVariantSignature.maybe)
        case "a" where rest.hasPrefix("{s"):
            rest = rest.dropFirst(2)
            guard let value = take(from: &rest, depth: depth + 1), rest.popFirst() == "}" else { return nil }
            return .dictionary(value)
        case "a": return take(from: &rest, depth: depth + 1).map(GVariantSignature.array)
        case "(":
            var elements: [GVariantSignature] = []
            while rest.first != ")" {
                guard let element = take(from: &rest, depth: depth + 1) else { return nil }
                elements.append(element)
            }
            rest.removeFirst()
            return .tuple(elements)
        default: return nil
        }
    }

    /// The signature, such as `a{sv}`.
    package var text: String {
        switch self {
        case .bool: "b"
        case .integer(let letter), .path(let letter): String(letter)
        case .double: "d"
        case .string: "s"
        case .variant: "v"
        case .maybe(let wrapped): "m\(wrapped.text)"
        case .array(let element): "a\(element.text)"
        case .dictionary(let value): "a{s\(value.text)}"
        case .tuple(let elements): "(\(elements.map(\.text).joined()))"
        }
    }

    /// The least and the greatest number of an integer type; nil for other types.
    package var limits: (least: PreferenceValue, greatest: PreferenceValue)? {
        func limits<Number: FixedWidthInteger>(_: Number.Type) -> (PreferenceValue, PreferenceValue)? {
            guard let least = PreferenceValue.integer(Number.min), let greatest = PreferenceValue.integer(Number.max)
            else { return nil }
            return (least, greatest)
        }
        guard case .integer(let letter) = self else { return nil }
        return switch letter {
        case "y": limits(UInt8.self)
        case "n": limits(Int16.self)
        case "q": limits(UInt16.self)
        case "u": limits(UInt32.self)
        case "x": limits(Int64.self)
        case "t": limits(UInt64.self)
        default: limits(Int32.self)
        }
    }
}

// MARK: - Reading

extension GVariantSignature {
    /// An error whose text says why a text is no value of a type.
    package struct ReadingError: Error, CustomStringConvertible {
        package var description: String
    }

    /// Returns the value of a text in the GVariant text format.
    ///
    /// Text without quotes is a string if the type is `s`, like that of `gsettings set`.
    ///
    /// - Throws: ``ReadingError``.
    package func value(of text: String) throws(ReadingError) -> PreferenceValue {
        var reader = GVariantReader(Array(text.utf8)[...])
        do throws(GVariantReader.SyntaxError) {
            // The type that a text states matters only for the form of its value, as for GLib.
            guard let fitting = fitting(try reader.read()) else {
                throw GVariantReader.SyntaxError(message: "this is not one")
            }
            return fitting
        } catch {
            if self == .double, let number = Double(text) { return .double(number) }
            if self == .string, text.first != "'", text.first != "\"" { return .string(text) }
            throw ReadingError(description: "expected a value of the GVariant type '\(self.text)'; \(error.message)")
        }
    }

    /// Returns a value as one of this type; nil if it does not fit.
    private func fitting(_ value: PreferenceValue) -> PreferenceValue? {
        switch (self, value) {
        case (.bool, .bool), (.double, .double), (.string, .string), (.path, .string), (.variant, _): return value
        case (.integer, .int(let integer)) where isWithinLimits(integer): return value
        case (.integer, .unsignedInt(let integer)) where isWithinLimits(integer): return value
        case (.double, .int(let integer)): return .double(Double(integer))
        case (.double, .unsignedInt(let integer)): return .double(Double(integer))
        case (.maybe, .null): return .null
        case (.maybe(let wrapped), _): return wrapped.fitting(value)
        case (.array(.integer("y")), .data(let data)): return .array(data.map { .int(Int64($0)) })
        case (.array(let element), .array(let values)):
            let fitting = values.compactMap(element.fitting)
            return fitting.count == values.count ? .array(fitting) : Optional.none
        case (.dictionary(let type), .dictionary(let entries)):
            let fitting = entries.compactMapValues(type.fitting)
            return fitting.count == entries.count ? .dictionary(fitting) : Optional.none
        // The text `[]` is also an empty dictionary.
        case (.dictionary, .array(let values)) where values.isEmpty: return .dictionary([:])
        case (.tuple(let types), .array(let values)):
            let fitting = zip(types, values).compactMap { $0.fitting($1) }
            return fitting.count == types.count && values.count == types.count ? .array(fitting) : Optional.none
        default: return Optional.none
        }
    }

    private func isWithinLimits(_ integer: some FixedWidthInteger) -> Bool {
        switch self {
        case .integer("y"): UInt8(exactly: integer) != nil
        case .integer("n"): Int16(exactly: integer) != nil
        case .integer("q"): UInt16(exactly: integer) != nil
        case .integer("u"): UInt32(exactly: integer) != nil
        case .integer("x"): Int64(exactly: integer) != nil
        case .integer("t"): UInt64(exactly: integer) != nil
        default: Int32(exactly: integer) != nil
        }
    }
}

// MARK: - Formatting

extension GVariantSignature {
    /// Returns the text of a value, as `g_variant_print` formats it; nil if the value is not of this type.
    ///
    /// - Parameter isAnnotated: Whether the text states the type where it would not be clear without.
    package func text(of value: PreferenceValue, isAnnotated: Bool = true) -> String? {
        switch (self, value) {
        case (.bool, .bool(let bool)): return bool ? "true" : "false"
        case (.integer, .int), (.integer, .unsignedInt): return integerText(value, isAnnotated)
        case (.double, .double(let number)): return Self.text(of: number)
        case (.double, .int(let integer)): return Self.text(of: Double(integer))
        case (.string, .string(let string)): return GVariantWriter.quoted(string)
        case (.path(let letter), .string(let string)):
            let type = letter == "o" ? "objectpath " : "signature "
            return (isAnnotated ? type : "") + GVariantWriter.quoted(string)
        case (.variant, _): return "<\(GVariantWriter.annotatedText(of: value))>"
        case (.maybe(let wrapped), _):
            guard value != .null else { return isAnnotated ? "@\(text) nothing" : "nothing" }
            guard let inner = wrapped.text(of: value, isAnnotated: false) else { return nil }
            return isAnnotated ? "@\(text) \(inner)" : inner
        case (.array(.integer("y")), .data(let data)): return bytesText(Array(data), isAnnotated)
        case (.array(let element), .array(let values)):
            if element == .integer("y"), let data = GVariantReader.data(of: values) {
                return bytesText(Array(data), isAnnotated)
            }
            let texts = element.texts(of: values, isAnnotated)
            return texts.map { container("[", $0, "]", isAnnotated) }
        case (.dictionary(let type), .dictionary(let entries)):
            let entries = entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            let texts = type.texts(of: entries.map(\.value), isAnnotated)
            return texts.map { texts in
                container("{", zip(entries, texts).map { "\(GVariantWriter.quoted($0.key)): \($1)" }, "}", isAnnotated)
            }
        case (.tuple(let types), .array(let values)):
            let texts = zip(types, values).compactMap { $0.text(of: $1, isAnnotated: isAnnotated) }
            guard texts.count == types.count, values.count == types.count else { return nil }
            return "(\(texts.joined(separator: ", "))\(texts.count == 1 ? "," : ""))"
        default: return nil
        }
    }

    /// Returns the texts of elements. The first one states the type of all.
    private func texts(of values: [PreferenceValue], _ isAnnotated: Bool) -> [String]? {
        let texts = values.enumerated().compactMap { text(of: $1, isAnnotated: isAnnotated && $0 == 0) }
        return texts.count == values.count ? texts : nil
    }

    private func container(_ opening: String, _ texts: [String], _ closing: String, _ isAnnotated: Bool) -> String {
        if texts.isEmpty, isAnnotated { return "@\(text) \(opening)\(closing)" }
        return opening + texts.joined(separator: ", ") + closing
    }

    private static let words: [Character: String] = [
        "y": "byte ", "n": "int16 ", "q": "uint16 ", "u": "uint32 ", "x": "int64 ", "t": "uint64 ", "h": "handle ",
    ]

    private func integerText(_ value: PreferenceValue, _ isAnnotated: Bool) -> String? {
        guard case .integer(let letter) = self, let value = fitting(value) else { return nil }
        var text = value.description
        if letter == "y", case .int(let integer) = value { text = Self.hexadecimal(UInt8(truncatingIfNeeded: integer)) }
        return (isAnnotated ? Self.words[letter] ?? "" : "") + text
    }

    private static func hexadecimal(_ byte: UInt8) -> String { (byte < 16 ? "0x0" : "0x") + String(byte, radix: 16) }

    /// Returns a number with the 17 digits of `g_ascii_dtostr`.
    private static func text(of number: Double) -> String {
        if number.isNaN { return "nan" }
        if number.isInfinite { return number < 0 ? "-inf" : "inf" }
        let text = String(format: "%.17g", number)
        return text.contains { ".e".contains($0) } ? text : "\(text).0"
    }

    /// Returns bytes: as text if they end with the only zero byte.
    private func bytesText(_ bytes: [UInt8], _ isAnnotated: Bool) -> String? {
        if bytes.last == 0, bytes.firstIndex(of: 0) == bytes.count - 1 {
            let quote = bytes.contains(UInt8(ascii: "'")) ? "\"" : "'"
            return "b\(quote)\(bytes.dropLast().map(Self.escaped).joined())\(quote)"
        }
        let texts = bytes.enumerated().map { index, byte in
            (isAnnotated && index == 0 ? "byte " : "") + Self.hexadecimal(byte)
        }
        return container("[", texts, "]", isAnnotated)
    }

    private static let escapes: [UInt8: String] = [
        0x08: "\\b", 0x09: "\\t", 0x0A: "\\n", 0x0B: "\\v", 0x0C: "\\f", 0x0D: "\\r", UInt8(ascii: "\""): "\\\"",
        UInt8(ascii: "\\"): "\\\\",
    ]

    /// Returns a byte as `g_strescape` does.
    private static func escaped(_ byte: UInt8) -> String {
        if let escape = escapes[byte] { return escape }
        if (0x20..<0x7F).contains(byte) { return String(UnicodeScalar(byte)) }
        let digits = String(byte, radix: 8)
        return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
    }
}
