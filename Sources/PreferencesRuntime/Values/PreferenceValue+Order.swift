import Foundation

extension PreferenceValue {
    /// The place of the value's kind in the order of kinds. Both kinds of integer share one.
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

    /// An order of all values, for storing sets so that one set is always stored as the same array.
    ///
    /// Nothing but its stability is promised: kinds in the order of their declaration, numbers and text ascending.
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

    /// `<` with NaN, which that leaves without a place, before all numbers.
    private static func precedes(_ first: Double, _ second: Double) -> Bool {
        first.isNaN ? !second.isNaN : first < second
    }
}
