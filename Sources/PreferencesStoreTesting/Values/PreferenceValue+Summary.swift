import Foundation
import PreferencesRuntime

extension PreferenceValue {
    /// The value with its type, for messages: `the integer 1`, `the string "warm"`, `data 00ff (2 bytes)`.
    var summary: String {
        switch self {
        case .null: "null"
        case .bool(let value): "the boolean \(value)"
        case .int(let value): "the integer \(value)"
        case .unsignedInt(let value): "the integer \(value)"
        case .double(let value): "the number \(value)"
        case .string(let value): "the string \(value.quoted)"
        case .data(let value):
            "data \(value.prefix(32).map(\.hexadecimal).joined())\(value.count > 32 ? "…" : "") (\(value.count) bytes)"
        case .date(let value): "the date \(value.timeIntervalSinceReferenceDate) s after 2001"
        case .array(let values): "the array \(PreferenceValue.array(values).description.shortened)"
        case .dictionary(let values): "the dictionary \(PreferenceValue.dictionary(values).description.shortened)"
        }
    }
}

extension PreferenceValue? {
    /// The value with its type, or `nothing`.
    var summary: String { map(\.summary) ?? "nothing" }
}

extension String {
    /// The text as a string literal. Long text is shortened in the middle.
    var quoted: String {
        guard count > 200 else { return debugDescription }
        return "\("\(prefix(150))…\(suffix(20))".debugDescription) (\(count) characters)"
    }

    fileprivate var shortened: String {
        count > 200 ? "\(prefix(150))…\(suffix(20)) (\(count) characters)" : self
    }
}

extension UInt8 {
    fileprivate var hexadecimal: String {
        String(self >> 4, radix: 16) + String(self & 15, radix: 16)
    }
}

extension PreferenceValue {
    var isString: Bool {
        if case .string = self { true } else { false }
    }

    /// The elements of an array, or the values of a dictionary.
    private var children: [PreferenceValue] {
        switch self {
        case .array(let values): values
        case .dictionary(let values): Array(values.values)
        default: []
        }
    }

    /// The nesting depth: 1 for an empty array or dictionary, 0 for other values.
    var depth: Int {
        switch self {
        case .array, .dictionary: 1 + (children.map(\.depth).max() ?? 0)
        default: 0
        }
    }

    /// The number of bytes of all strings and data in the value.
    var size: Int {
        switch self {
        case .string(let text): text.utf8.count
        case .data(let data): data.count
        default: children.reduce(0) { $0 + $1.size }
        }
    }

    var containsNull: Bool {
        if case .null = self { true } else { children.contains(where: \.containsNull) }
    }
}
