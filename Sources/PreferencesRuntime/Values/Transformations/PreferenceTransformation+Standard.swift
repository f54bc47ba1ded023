public import Foundation

extension PreferenceTransformation where Stored == Bool, Value == Bool {
    /// A boolean whose opposite is stored.
    public static var inverted: Self {
        Self {
            !$0
        } write: {
            !$0
        }
    }
}

extension PreferenceTransformation where Value: RawRepresentable & Sendable, Stored == Value.RawValue {
    /// A value whose raw value is stored.
    public static var rawValue: Self {
        Self { stored in
            guard let value = Value(rawValue: stored) else {
                throw PreferenceTransformationError("\(ValueText.short(stored)) is no raw value of \(Value.self)")
            }
            return value
        } write: {
            $0.rawValue
        }
    }
}

extension PreferenceTransformation where Stored == Value?, Value: Sendable {
    /// A value that is read instead of nil.
    ///
    /// - Parameter replacement: What nil is read as. Setting it stores it.
    public static func replacingNil(with replacement: Value) -> Self {
        Self {
            $0 ?? replacement
        } write: {
            $0
        }
    }
}

extension PreferenceTransformation where Stored == Value, Value: Sendable {
    /// Values that are read as another where they do not meet a condition. What is stored stays, and what is set is stored
    /// as it is.
    ///
    /// - Parameters:
    ///   - isMet: Whether a stored value is good.
    ///   - replacement: What others are read as.
    public static func ensuring(
        _ isMet: @escaping @Sendable (Value) -> Bool,
        else replacement: Value
    ) -> Self {
        Self {
            isMet($0) ? $0 : replacement
        } write: {
            $0
        }
    }
}

extension PreferenceTransformation where Stored == Value, Value: Comparable & Sendable {
    /// Values that are read as the nearest limit where they are beyond. What is stored stays, and what is set is stored as
    /// it is; ``PreferenceTrait/range(_:)`` refuses it instead.
    ///
    /// - Parameter limits: The least and the greatest value that is read.
    public static func clamping(to limits: ClosedRange<Value>) -> Self {
        Self {
            min(max($0, limits.lowerBound), limits.upperBound)
        } write: {
            $0
        }
    }
}

extension PreferenceTransformation where Stored == Data, Value: Codable & Sendable {
    /// Values that are stored as JSON in data, as other programs may have them.
    public static var json: Self {
        Self {
            try JSONDecoder().decode(Value.self, from: $0)
        } write: {
            try JSONEncoder().encode($0)
        }
    }
}

/// Why a transformation cannot make a value.
struct PreferenceTransformationError: Error, Hashable, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
