import Foundation

extension PreferenceValue: Hashable {
    /// Whether two values are of one kind and hold the same.
    public static func == (first: PreferenceValue, second: PreferenceValue) -> Bool {
        switch (first, second) {
        case (.null, .null): true
        case (.bool(let first), .bool(let second)): first == second
        case (.int(let first), .int(let second)): first == second
        case (.unsignedInt(let first), .unsignedInt(let second)): first == second
        // Only values that were not made by `integer(_:)` can be equal here.
        case (.int(let first), .unsignedInt(let second)): first == second
        case (.unsignedInt(let first), .int(let second)): first == second
        case (.double(let first), .double(let second)): first.identity == second.identity
        case (.string(let first), .string(let second)): first == second
        case (.data(let first), .data(let second)): first == second
        case (.date(let first), .date(let second)): first.identity == second.identity
        case (.array(let first), .array(let second)): first == second
        case (.dictionary(let first), .dictionary(let second)): first == second
        default: false
        }
    }

    /// Feeds the value's kind and what it holds into a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(rank)
        switch self {
        case .null: break
        case .bool(let value): hasher.combine(value)
        case .int(let value): hasher.combine(UInt64(bitPattern: value))
        case .unsignedInt(let value): hasher.combine(value)
        case .double(let value): hasher.combine(value.identity)
        case .string(let value): hasher.combine(value)
        case .data(let value): hasher.combine(value)
        case .date(let value): hasher.combine(value.identity)
        case .array(let value): hasher.combine(value)
        case .dictionary(let value): hasher.combine(value)
        }
    }
}

extension Double {
    /// Equal for what a store must not take for a change: the same bits, or any NaN.
    fileprivate var identity: UInt64 {
        isNaN ? Double.nan.bitPattern : bitPattern
    }
}

extension Date {
    /// As of a `Double`, but a date has no negative zero.
    fileprivate var identity: UInt64 {
        (timeIntervalSinceReferenceDate + 0).identity
    }
}
