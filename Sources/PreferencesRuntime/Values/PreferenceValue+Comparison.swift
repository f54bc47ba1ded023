import Foundation

extension PreferenceValue: Hashable {
    /// Returns whether two values are of the same kind and have equal contents.
    public static func == (first: PreferenceValue, second: PreferenceValue) -> Bool {
        switch (first, second) {
        case (.null, .null): true
        case (.bool(let first), .bool(let second)): first == second
        case (.int(let first), .int(let second)): first == second
        case (.unsignedInt(let first), .unsignedInt(let second)): first == second
        // Possible only for values that were not created by `integer(_:)`.
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

    /// Hashes the value's kind and contents.
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
    /// Equal for numbers between which a store must not report a change: those with the same bits, and all NaNs.
    fileprivate var identity: UInt64 {
        isNaN ? Double.nan.bitPattern : bitPattern
    }
}

extension Date {
    /// The identity of the date's `Double`, without negative zero.
    fileprivate var identity: UInt64 {
        (timeIntervalSinceReferenceDate + 0).identity
    }
}

extension PreferenceValue {
    /// Returns whether two values are identical to the byte. `==` treats canonically equivalent Unicode strings as
    /// equal, but in a path or a password, it matters how an accent is encoded.
    package func isIdentical(to other: PreferenceValue) -> Bool {
        switch (self, other) {
        case (.string(let text), .string(let otherText)): return text.utf8.elementsEqual(otherText.utf8)
        case (.array(let values), .array(let others)):
            return values.count == others.count && zip(values, others).allSatisfy { $0.isIdentical(to: $1) }
        case (.dictionary(let entries), .dictionary(let others)):
            guard entries.count == others.count else { return false }
            return entries.allSatisfy { name, value in
                guard let index = others.index(forKey: name) else { return false }
                return name.utf8.elementsEqual(others[index].key.utf8) && value.isIdentical(to: others[index].value)
            }
        default: return self == other
        }
    }
}

extension Optional where Wrapped == PreferenceValue {
    /// Returns whether both are nil, or identical to the byte.
    package func isIdentical(to other: PreferenceValue?) -> Bool {
        switch (self, other) {
        case (nil, nil): true
        case (let value?, let other?): value.isIdentical(to: other)
        default: false
        }
    }
}

extension PreferenceValue {
    /// The rank of the value's kind in the order of kinds. Both kinds of integers have the same rank.
    var rank: Int {
        switch self {
        case .null: 0
        case .bool: 1
        case .int, .unsignedInt: 2
        case .double: 3
        case .string: 4
        case .data: 5
        case .date: 6
        case .array: 7
        case .dictionary: 8
        }
    }

    /// Returns whether a value precedes another in a total order, so that a set is always stored as the same array.
    ///
    /// Only the stability of the order is guaranteed: kinds in the order of their declaration, numbers and strings
    /// ascending.
    static func precedes(_ first: PreferenceValue, _ second: PreferenceValue) -> Bool {
        switch (first, second) {
        case (.bool(let first), .bool(let second)): return !first && second
        case (.int(let first), .int(let second)): return first < second
        case (.int, .unsignedInt): return true
        case (.unsignedInt, .int): return false
        case (.unsignedInt(let first), .unsignedInt(let second)): return first < second
        case (.double(let first), .double(let second)): return precedes(first, second)
        case (.string(let first), .string(let second)): return first < second
        case (.data(let first), .data(let second)): return first.lexicographicallyPrecedes(second)
        case (.date(let first), .date(let second)):
            return precedes(first.timeIntervalSinceReferenceDate, second.timeIntervalSinceReferenceDate)
        case (.array(let first), .array(let second)):
            return first.lexicographicallyPrecedes(second, by: precedes)
        case (.dictionary(let first), .dictionary(let second)):
            return first.sorted { $0.key < $1.key }.lexicographicallyPrecedes(second.sorted { $0.key < $1.key }) {
                $0.key == $1.key ? precedes($0.value, $1.value) : $0.key < $1.key
            }
        default: return first.rank < second.rank
        }
    }

    /// Returns the result of `<`, with NaN before all numbers.
    private static func precedes(_ first: Double, _ second: Double) -> Bool {
        first.isNaN ? !second.isNaN : first < second
    }
}
