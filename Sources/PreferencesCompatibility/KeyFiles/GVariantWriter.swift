import Foundation
import PreferencesRuntime

/// Formats values in the GVariant text format, without the type where GSettings knows it, as `g_variant_print` does
/// without annotations.
///
/// Containers with elements of different types become containers of variants. GVariant has no dates, and no NUL in
/// strings: a value that contains one becomes JSON in a dictionary of one entry, ``jsonName``.
enum GVariantWriter {
    /// The name of the entry with JSON.
    static let jsonName = "$json"
    /// The maximum nesting. GVariant's own limit is twice as much, and each level can be in a variant.
    static let maximumDepth = 64

    /// Returns the text of a value.
    ///
    /// - Parameter style: The style of the text that it replaces.
    static func text(of value: PreferenceValue, style: GVariantStyle) throws(StoreFileValueError) -> String {
        guard depth(of: value) <= maximumDepth else {
            throw StoreFileValueError("the value is nested more than \(maximumDepth) levels deep")
        }
        var isReserved = false
        if case .dictionary(let entries) = value { isReserved = entries.count == 1 && entries[jsonName] != nil }
        if !isReserved, let type = InferredGVariantType(of: value) {
            switch (value, style) {
            case (.array, .variants): return text(of: value, .array(.variant))
            case (.dictionary, .variants): return text(of: value, .dictionary(.variant))
            case (.array(let elements), .tuple):
                let texts = elements.map { element in
                    InferredGVariantType(of: element).map { text(of: element, $0) } ?? ""
                }
                return "(\(texts.joined(separator: ", "))\(texts.count == 1 ? "," : ""))"
            default: return text(of: value, type)
            }
        }
        return text(of: .dictionary([jsonName: .string(try value.jsonLine())]), .dictionary(.string))
    }

    private static func depth(of value: PreferenceValue) -> Int {
        switch value {
        case .array(let elements): 1 + (elements.lazy.map(depth).max() ?? 0)
        case .dictionary(let entries): 1 + (entries.values.lazy.map(depth).max() ?? 0)
        default: 0
        }
    }

    private static func text(of value: PreferenceValue, _ type: InferredGVariantType) -> String {
        switch (value, type) {
        case (_, .variant): return "<\(annotatedText(of: value))>"
        case (.null, _): return "nothing"
        case (_, .maybe(let wrapped)): return text(of: value, wrapped)
        case (.bool(let bool), _): return bool ? "true" : "false"
        case (.int(let integer), _): return String(integer)
        case (.unsignedInt(let integer), _): return String(integer)
        case (.double(let number), _): return number.description
        case (.string(let string), _): return quoted(string)
        case (.data(let data), _):
            if data.isEmpty { return "@ay []" }
            return "[byte \(data.map { "0x\($0 < 16 ? "0" : "")\(String($0, radix: 16))" }.joined(separator: ", "))]"
        case (.array(let elements), .array(let element)):
            return "[\(elements.map { text(of: $0, element) }.joined(separator: ", "))]"
        case (.dictionary(let entries), .dictionary(let element)):
            let texts = entries.sorted { $0.key < $1.key }.map { "\(quoted($0)): \(text(of: $1, element))" }
            return "{\(texts.joined(separator: ", "))}"
        // A type of a value fits it.
        case (.array, _), (.dictionary, _), (.date, _): return ""
        }
    }

    /// Returns the text of a value with its type, which GSettings does not know in a variant.
    static func annotatedText(of value: PreferenceValue) -> String {
        guard let type = InferredGVariantType(of: value) else { return "" }
        let text = text(of: value, type)
        switch type {
        case .bool, .double, .string, .bytes: return text
        case .integer where type.signature == "i": return text
        default: return "@\(type.signature) \(text)"
        }
    }

    private static let escapes: [Unicode.Scalar: String] = [
        "\u{07}": "\\a", "\u{08}": "\\b", "\u{0C}": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\u{0B}": "\\v",
        "\\": "\\\\",
    ]

    static func quoted(_ string: String) -> String {
        let quote: Unicode.Scalar = string.unicodeScalars.contains("'") ? "\"" : "'"
        var result = String(quote)
        for scalar in string.unicodeScalars {
            if let escape = escapes[scalar] {
                result += escape
            } else if scalar == quote {
                result += "\\\(quote)"
            } else if [.control, .format, .unassigned].contains(scalar.properties.generalCategory) {
                let digits = String(scalar.value, radix: 16)
                let count = scalar.value > 0xFFFF ? 8 : 4
                result += (count > 4 ? "\\U" : "\\u") + String(repeating: "0", count: count - digits.count) + digits
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result + String(quote)
    }
}

/// The GVariant type that a value has by itself, where no schema gives it one.
private indirect enum InferredGVariantType: Equatable {
    /// The type of elements that do not exist.
    case unknown
    case bool
    /// Integers, by the least and the greatest one.
    case integer(least: Int64, greatest: UInt64)
    case double
    case string
    case bytes
    case array(InferredGVariantType)
    case dictionary(InferredGVariantType)
    case maybe(InferredGVariantType)
    case variant

    /// Returns nil if GVariant cannot represent the value.
    init?(of value: PreferenceValue) {
        switch value {
        case .null: self = .maybe(.unknown)
        case .bool: self = .bool
        case .int(let integer): self = .integer(least: min(0, integer), greatest: UInt64(max(0, integer)))
        case .unsignedInt(let integer): self = .integer(least: 0, greatest: integer)
        case .double: self = .double
        case .string(let string):
            if string.utf8.contains(0) { return nil }
            self = .string
        case .data: self = .bytes
        case .date: return nil
        case .array(let elements):
            guard let type = Self.common(of: elements) else { return nil }
            self = .array(type)
        case .dictionary(let entries):
            guard !entries.keys.contains(where: { $0.utf8.contains(0) }), let type = Self.common(of: entries.values)
            else { return nil }
            self = .dictionary(type)
        }
    }

    /// Returns the common type of elements, or ``variant``; nil if GVariant cannot represent one of them.
    private static func common(of elements: some Sequence<PreferenceValue>) -> InferredGVariantType? {
        var result: InferredGVariantType? = .unknown
        for element in elements {
            guard let type = InferredGVariantType(of: element) else { return nil }
            result = result.flatMap { $0.union(type) }
        }
        return result ?? .variant
    }

    /// Returns the type that has the values of both; nil if there is none.
    private func union(_ other: InferredGVariantType) -> InferredGVariantType? {
        switch (self, other) {
        case (.unknown, let type), (let type, .unknown): return type
        case (.maybe(let type), .maybe(let other)): return type.union(other).map(Self.maybe)
        case (.maybe(let type), let other), (let other, .maybe(let type)):
            return type.union(other).map(Self.maybe)
        case (.integer(let least, let greatest), .integer(let otherLeast, let otherGreatest)):
            let (least, greatest) = (min(least, otherLeast), max(greatest, otherGreatest))
            return least < 0 && greatest > Int64.max ? nil : .integer(least: least, greatest: greatest)
        case (.integer, .double), (.double, .integer): return .double
        case (.array(let type), .array(let other)): return type.union(other).map(Self.array)
        case (.dictionary(let type), .dictionary(let other)): return type.union(other).map(Self.dictionary)
        default: return self == other ? self : nil
        }
    }

    var signature: String {
        switch self {
        case .unknown, .variant: "v"
        case .bool: "b"
        case .integer(let least, let greatest):
            greatest > Int64.max ? "t" : least >= Int32.min && greatest <= Int32.max ? "i" : "x"
        case .double: "d"
        case .string: "s"
        case .bytes: "ay"
        case .array(let type): "a\(type.signature)"
        case .dictionary(let type): "a{s\(type.signature)}"
        case .maybe(let type): "m\(type.signature)"
        }
    }
}
