import PreferencesRuntime

/// The encoding of a stored value, which stands for it in comparisons: an object may have changed since, and `==` of a
/// type may ignore differences.
enum LoadedSnapshot<Value: Codable & Sendable>: Sendable {
    case nothing
    case value(PreferenceValue)
    /// A value that cannot be encoded, although it was decoded.
    case unknown

    init(_ value: Value?) {
        guard let value else {
            self = .nothing
            return
        }
        self = (try? CodedValue(value: value).preferenceValue()).map(Self.value) ?? .unknown
    }

    func isSame(as other: LoadedSnapshot) -> Bool {
        if hasSameEncoding(as: other) { return true }
        guard case .value(let encoding) = self, case .value(let otherEncoding) = other else { return false }
        // Equal sets may encode their elements in another order.
        return encoding.isReordering(of: otherEncoding) && Self.areEqual(encoding, otherEncoding)
    }

    /// Whether both are nothing, or were encoded identically.
    func hasSameEncoding(as other: LoadedSnapshot) -> Bool {
        switch (self, other) {
        case (.nothing, .nothing): true
        case (.value(let encoding), .value(let otherEncoding)): encoding.isIdentical(to: otherEncoding)
        default: false
        }
    }

    /// Whether both encodings are decoded to equal values.
    private static func areEqual(_ first: PreferenceValue, _ second: PreferenceValue) -> Bool {
        func equal<T: Equatable>(_ first: T, _ second: Any) -> Bool { second as? T == first }
        guard let values = try? [first, second].map({ try CodedValue<Value>(preferenceValue: $0).value }) else {
            return false
        }
        return (values[0] as? any Equatable).map { equal($0, values[1]) } ?? false
    }
}

extension PreferenceValue {
    /// Whether the values are identical except for the order of elements in arrays.
    fileprivate func isReordering(of other: PreferenceValue) -> Bool {
        orderless.isIdentical(to: other.orderless)
    }

    /// The value with the elements of all arrays sorted.
    private var orderless: PreferenceValue {
        switch self {
        case .array(let elements):
            let sorted = elements.map(\.orderless).map { (text: "\($0)", value: $0) }.sorted { $0.text < $1.text }
            return .array(sorted.map(\.value))
        case .dictionary(let entries): return .dictionary(entries.mapValues(\.orderless))
        default: return self
        }
    }
}
