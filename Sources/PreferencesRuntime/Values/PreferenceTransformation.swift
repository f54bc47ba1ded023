public import Foundation

/// How values are read from what is stored, and made into it, where the two differ.
///
/// ```swift
/// var isEnabled: Bool {                     // stored as its opposite
///     get { get("disabled", default: true, through: .inverted) }
///     nonmutating set { set("disabled", to: newValue, through: .inverted) }
/// }
///
/// var volume: Int {                         // a stored 120 reads as 100, and stays 120
///     get { get("volume", default: 50, through: .clamping(to: 0...100)) }
///     nonmutating set { set("volume", to: newValue, through: .clamping(to: 0...100)) }
/// }
/// ```
///
/// For all values of a store there is ``TransformedStore``.
public struct PreferenceTransformation<Stored, Value>: Sendable {
    /// Makes the value of what is stored.
    public let read: @Sendable (_ stored: Stored) throws -> Value
    /// Makes what is stored of a value.
    public let write: @Sendable (_ value: Value) throws -> Stored

    /// Makes a transformation.
    ///
    /// - Parameters:
    ///   - read: Makes the value of what is stored. Where it throws, the key's default is read.
    ///   - write: Makes what is stored of a value. Where it throws, the key is not set.
    public init(
        read: @escaping @Sendable (_ stored: Stored) throws -> Value,
        write: @escaping @Sendable (_ value: Value) throws -> Stored
    ) {
        self.read = read
        self.write = write
    }

    /// This, and then another: what this one reads is what that one takes for stored.
    ///
    /// ```swift
    /// PreferenceTransformation<Data, Theme>.json.followed(by: darkened)
    /// ```
    public func followed<Result>(
        by next: PreferenceTransformation<Value, Result>
    ) -> PreferenceTransformation<Stored, Result> {
        PreferenceTransformation<Stored, Result> {
            try next.read(read($0))
        } write: {
            try write(next.write($0))
        }
    }
}

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

extension PreferenceTransformation where Stored == Data, Value: NSObject & NSSecureCoding {
    /// Objects that are stored as keyed archives, which are read securely: of this class, and of those that it allows.
    ///
    /// - Warning: On Linux Foundation ends the program over an archive that is damaged, and may do so when it archives two
    ///   `NSNull` objects, or one string both composed and decomposed. ``json`` does not, nor does reading with
    ///   ``LegacyEncoding/keyedArchive``.
    public static var archive: Self {
        Self { data in
            guard let object = try NSKeyedUnarchiver.unarchivedObject(ofClass: Value.self, from: data) else {
                throw PreferenceTransformationError("this is no archive of \(Value.self)")
            }
            return object
        } write: {
            try NSKeyedArchiver.archivedData(withRootObject: $0, requiringSecureCoding: true)
        }
    }
}

#if canImport(Darwin)
    extension PreferenceTransformation where Stored: Sendable, Value: Sendable {
        /// What a registered `ValueTransformer` makes of values, and its reverse of what is stored.
        ///
        /// - Parameter name: The transformer's name. It must be registered when a value is first read or set, and allow
        ///   the reverse; where it is not, or does not, that is a problem of the value.
        public static func valueTransformer(_ name: NSValueTransformerName) -> Self {
            Self(transformer: name.rawValue) { ValueTransformer(forName: name) }
        }
    }

    extension ValueTransformer: ReversibleTransformer {
        var allowsReverse: Bool { Self.allowsReverseTransformation() }
    }
#endif

/// What `ValueTransformer` offers of one transformer.
protocol ReversibleTransformer {
    /// Whether it can be asked for the reverse, which ends the program where it cannot.
    var allowsReverse: Bool { get }

    func transformedValue(_ value: Any?) -> Any?

    func reverseTransformedValue(_ value: Any?) -> Any?
}

extension PreferenceTransformation {
    /// - Parameters:
    ///   - name: The transformer's name.
    ///   - registered: Gives the transformer that is registered under it; nil for none.
    init(transformer name: String, registered: @escaping @Sendable () -> (any ReversibleTransformer)?) {
        @Sendable func transformer() throws -> any ReversibleTransformer {
            guard let transformer = registered() else {
                throw PreferenceTransformationError("no value transformer '\(name)' is registered")
            }
            return transformer
        }
        self.init { stored in
            let transformer = try transformer()
            guard transformer.allowsReverse else {
                throw PreferenceTransformationError("the value transformer '\(name)' allows no reverse")
            }
            guard let value = transformer.reverseTransformedValue(stored) as? Value else {
                throw PreferenceTransformationError("'\(name)' makes no \(Value.self) of it")
            }
            return value
        } write: { value in
            guard let stored = try transformer().transformedValue(value) as? Stored else {
                throw PreferenceTransformationError("'\(name)' makes no \(Stored.self) of it")
            }
            return stored
        }
    }
}
