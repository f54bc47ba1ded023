extension PreferenceValue: ExpressibleByNilLiteral {
    /// Makes ``PreferenceValue/null``.
    public init(nilLiteral: ()) {
        self = .null
    }
}

extension PreferenceValue: ExpressibleByBooleanLiteral {
    /// Makes a ``PreferenceValue/bool(_:)``.
    public init(booleanLiteral value: Bool) {
        self = .bool(value)
    }
}

extension PreferenceValue: ExpressibleByIntegerLiteral {
    /// Makes an ``PreferenceValue/int(_:)``.
    public init(integerLiteral value: Int64) {
        self = .int(value)
    }
}

extension PreferenceValue: ExpressibleByFloatLiteral {
    /// Makes a ``PreferenceValue/double(_:)``.
    public init(floatLiteral value: Double) {
        self = .double(value)
    }
}

extension PreferenceValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    /// Makes a ``PreferenceValue/string(_:)``.
    public init(stringLiteral value: String) {
        self = .string(value)
    }
}

extension PreferenceValue: ExpressibleByArrayLiteral {
    /// Makes an ``PreferenceValue/array(_:)``.
    public init(arrayLiteral elements: PreferenceValue...) {
        self = .array(elements)
    }
}

extension PreferenceValue: ExpressibleByDictionaryLiteral {
    /// Makes a ``PreferenceValue/dictionary(_:)``; of two entries with one name the last counts.
    public init(dictionaryLiteral elements: (String, PreferenceValue)...) {
        self = .dictionary(Dictionary(elements) { _, last in last })
    }
}
