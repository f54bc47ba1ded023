import PreferencesRuntime

/// Two concurrent changes of a value. No value is one that was removed.
struct ConcurrentChanges: Sendable {
    /// The value that the machine knew when it made its change.
    var base: PreferenceValue?
    /// The value that the machine has set.
    var wanted: PreferenceValue?
    /// The shared value, which other machines have changed since.
    var current: PreferenceValue?
    /// Whether the machine's change is later than the shared value.
    var isLater: Bool
}

/// The result of merging two concurrent changes.
enum MergeResult: Hashable, Sendable {
    case value(PreferenceValue?)
    /// Both values are kept until the user decides.
    case conflict
}

extension PreferenceMergeRule {
    /// Merges two concurrent changes.
    ///
    /// Values that do not suit the rule, such as a string under ``sum``, are merged as under ``ask``: no other rule
    /// keeps both.
    @Sendable static func merge(_ rule: PreferenceMergeRule, _ changes: ConcurrentChanges) -> MergeResult {
        let result =
            switch rule {
            case .last: MergeResult.value(changes.isLater ? changes.wanted : changes.current)
            case .union: union(changes)
            case .max: extreme(changes) { $0 == .greater }
            case .min: extreme(changes) { $0 == .less }
            case .sum: sum(changes)
            case .ask: MergeResult.conflict
            }
        let isAgreement = result == .conflict && changes.wanted.isIdentical(to: changes.current)
        return isAgreement ? .value(changes.current) : result
    }

    /// Adds the elements that the machine has added, and removes those that it has removed. The elements of the shared
    /// value keep their order; added ones follow in the machine's order.
    private static func union(_ changes: ConcurrentChanges) -> MergeResult {
        guard let base = changes.base.elements, let wanted = changes.wanted.elements,
            let current = changes.current.elements
        else { return .conflict }
        let removed = Set(base).subtracting(wanted)
        let added = Set(wanted).subtracting(base)
        var known = Set(current)
        let merged =
            current.filter { !removed.contains($0) }
            + wanted.filter { added.contains($0) && known.insert($0).inserted }
        let isRemoved = merged.isEmpty && (changes.wanted == nil || changes.current == nil)
        return .value(isRemoved ? nil : .array(merged))
    }

    /// Returns the value that is preferred to the other one. A value is preferred to its removal, and to the null of a key
    /// that may be nil.
    private static func extreme(_ changes: ConcurrentChanges, _ isPreferred: (NumericOrder) -> Bool) -> MergeResult {
        guard let wanted = changes.wanted, wanted != .null else {
            return .value(changes.current ?? changes.wanted)
        }
        guard let current = changes.current, current != .null else { return .value(wanted) }
        guard let order = NumericOrder(of: wanted, to: current) else { return .conflict }
        return .value(isPreferred(order) ? wanted : current)
    }

    /// Adds the machine's increment to the shared value.
    private static func sum(_ changes: ConcurrentChanges) -> MergeResult {
        if changes.wanted == nil, changes.current == nil { return .value(nil) }
        let values = [changes.current, changes.wanted, changes.base].map { $0 ?? 0 }
        let integers = values.compactMap(\.wideInteger)
        if integers.count == values.count {
            // An unsigned key must not be limited to half its range, nor a signed one receive what it cannot read.
            let isUnsigned = values.contains { if case .unsignedInt = $0 { true } else { false } }
            let highest = isUnsigned ? Int128(UInt64.max) : Int128(Int64.max)
            let sum = integers[0] + integers[1] - integers[2]
            return .value(.integer(Swift.min(Swift.max(sum, Int128(Int64.min)), highest)))
        }
        let numbers = values.compactMap(\.finiteDouble)
        guard numbers.count == values.count else { return .conflict }
        let sum = numbers[0] + (numbers[1] - numbers[2])
        let largest = Double.greatestFiniteMagnitude
        return .value(.double(Swift.min(Swift.max(sum, -largest), largest)))
    }
}

extension PreferenceValue? {
    /// The elements of an array, or none of an absent value; nil for other values.
    fileprivate var elements: [PreferenceValue]? {
        switch self {
        case nil: []
        case .array(let elements)?: elements
        default: nil
        }
    }
}

extension PreferenceValue {
    fileprivate var wideInteger: Int128? {
        switch self {
        case .int(let value): Int128(value)
        case .unsignedInt(let value): Int128(value)
        default: nil
        }
    }

    fileprivate var finiteDouble: Double? {
        if case .double(let value) = self { return value.isFinite ? value : nil }
        return wideInteger.map { Double($0) }
    }
}

/// The order of two numbers, or of two dates.
private enum NumericOrder {
    case less
    case equal
    case greater

    /// Nil for values without an order, such as strings, and NaN.
    init?(of first: PreferenceValue, to second: PreferenceValue) {
        switch (first, second) {
        case (.date(let first), .date(let second)): self.init(first, second)
        case (.double(let first), .double(let second)):
            if first.isNaN || second.isNaN { return nil }
            self.init(first, second)
        case (.double(let first), _):
            guard let second = second.wideInteger, let order = Self(of: second, to: first) else { return nil }
            self = order == .less ? .greater : order == .greater ? .less : .equal
        case (_, .double(let second)):
            guard let first = first.wideInteger, let order = Self(of: first, to: second) else { return nil }
            self = order
        default:
            guard let first = first.wideInteger, let second = second.wideInteger else { return nil }
            self.init(first, second)
        }
    }

    private init<Value: Comparable>(_ first: Value, _ second: Value) {
        self = first < second ? .less : first > second ? .greater : .equal
    }

    /// Compares exactly: `Double` cannot represent all integers above 2⁵³.
    private init?(of integer: Int128, to number: Double) {
        if number.isNaN { return nil }
        let floor = number.rounded(.down)
        guard let whole = Int128(exactly: floor) else {
            self = number > 0 ? .less : .greater
            return
        }
        self.init(integer, whole)
        if self == .equal, floor < number { self = .less }
    }
}
