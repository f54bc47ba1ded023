import Foundation
import PreferencesRuntime

extension PreferenceValue {
    /// The value with its kind, for failures: `the integer 1`, `the string "warm"`, `data 00ff (2 bytes)`.
    var words: String {
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
    /// As of a value; `nothing` where there is none.
    var words: String { map(\.words) ?? "nothing" }
}

extension String {
    /// The text as a literal, without its middle where it is long.
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
