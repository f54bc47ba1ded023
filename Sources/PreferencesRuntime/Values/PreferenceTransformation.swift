public import Foundation

/// A transformation between stored values and the values that a key reads as.
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
/// To transform all values of a store, use ``TransformedStore``.
public struct PreferenceTransformation<Stored, Value>: Sendable {
    /// Makes the value from a stored one.
    public let read: @Sendable (_ stored: Stored) throws -> Value
    /// Makes the stored value.
    public let write: @Sendable (_ value: Value) throws -> Stored

    /// Creates a transformation.
    ///
    /// - Parameters:
    ///   - read: Makes the value from a stored one. If it throws, the key reads as its default.
    ///   - write: Makes the stored value. If it throws, the key is not set.
    public init(
        read: @escaping @Sendable (_ stored: Stored) throws -> Value,
        write: @escaping @Sendable (_ value: Value) throws -> Stored
    ) {
        self.read = read
        self.write = write
    }

    /// The transformation of optional values, which nil passes through.
    var optional: PreferenceTransformation<Stored?, Value?> {
        PreferenceTransformation<Stored?, Value?> {
            try $0.map(read)
        } write: {
            try $0.map(write)
        }
    }

    /// Returns a transformation that reads through this transformation and then through another.
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
    /// Stores the opposite of a Boolean.
    public static var inverted: Self {
        Self {
            !$0
        } write: {
            !$0
        }
    }
}

extension PreferenceTransformation where Value: RawRepresentable & Sendable, Stored == Value.RawValue {
    /// Stores the raw value of a value.
    public static var rawValue: Self {
        Self { stored in
            guard let value = Value(rawValue: stored) else {
                throw PreferenceTransformationError("\(ValueText.short(stored)) is not a raw value of \(Value.self)")
            }
            return value
        } write: {
            $0.rawValue
        }
    }
}

extension PreferenceTransformation where Stored == Value?, Value: Sendable {
    /// Reads nil as another value.
    ///
    /// - Parameter replacement: The value that nil reads as. Setting it stores it.
    public static func replacingNil(with replacement: Value) -> Self {
        Self {
            $0 ?? replacement
        } write: {
            $0
        }
    }
}

extension PreferenceTransformation where Stored == Value, Value: Sendable {
    /// Reads values that do not meet a condition as another value. The stored value is preserved, and new values are
    /// stored unchanged.
    ///
    /// - Parameters:
    ///   - isMet: Returns whether a stored value meets the condition.
    ///   - replacement: The value that other values read as.
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
    /// Reads values outside a range as the nearest bound. The stored value is preserved, and new values are stored
    /// unchanged; `PreferenceTrait.range` rejects them instead.
    ///
    /// - Parameter limits: The range.
    public static func clamping(to limits: ClosedRange<Value>) -> Self {
        Self {
            min(max($0, limits.lowerBound), limits.upperBound)
        } write: {
            $0
        }
    }
}

extension PreferenceTransformation where Stored == Data, Value: Codable & Sendable {
    /// Stores values as JSON data, for compatibility with other programs.
    public static var json: Self {
        Self {
            try JSONDecoder().decode(Value.self, from: $0)
        } write: {
            try JSONEncoder().encode($0)
        }
    }
}

/// An error of a transformation.
struct PreferenceTransformationError: Error, Hashable, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

extension PreferenceTransformation where Stored == Data, Value: NSObject & NSSecureCoding {
    /// Stores objects as keyed archives. Reading uses secure coding with this class.
    ///
    /// - Warning: On Linux, Foundation crashes on some damaged archives, and may crash when it archives two `NSNull`
    ///   objects, or the same string in composed and decomposed form. ``json`` does not crash, nor does the
    ///   encoding `keyedArchive` of PreferencesCompatibility.
    public static var archive: Self {
        Self { data in
            #if !canImport(Darwin)
                try checkClass(ofArchive: data)
            #endif
            guard let object = try NSKeyedUnarchiver.unarchivedObject(ofClass: Value.self, from: data) else {
                throw PreferenceTransformationError("the data is not an archive of \(Value.self)")
            }
            return object
        } write: {
            try NSKeyedArchiver.archivedData(withRootObject: $0, requiringSecureCoding: true)
        }
    }

    #if !canImport(Darwin)
        /// Throws an error if an archive contains objects, but none of the class, since Foundation would end the program.
        private static func checkClass(ofArchive data: Data) throws {
            let archive = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
            let objects = archive?["$objects"] as? [Any] ?? []
            let classes = objects.compactMap { ($0 as? [String: Any])?["$classes"] as? [String] }
            // A program can give a class the name of another one in archives.
            let isOfClass = classes.contains { names in
                names.contains(NSStringFromClass(Value.self))
                    || names.first.flatMap(NSKeyedUnarchiver.class(forClassName:)) is Value.Type
            }
            if !classes.isEmpty, !isOfClass {
                throw PreferenceTransformationError("the data is not an archive of \(Value.self)")
            }
        }
    #endif
}

#if canImport(Darwin)
    extension PreferenceTransformation where Stored: Sendable, Value: Sendable {
        /// Applies a registered `ValueTransformer` when writing, and its reverse when reading.
        ///
        /// - Parameter name: The transformer's name. It must be registered when a value is first read or set, and
        ///   support the reverse transformation; otherwise, reads and writes report a problem.
        public static func valueTransformer(_ name: NSValueTransformerName) -> Self {
            Self(transformer: name.rawValue) { ValueTransformer(forName: name) }
        }
    }

    extension ValueTransformer: ReversibleTransformer {
        var allowsReverse: Bool { Self.allowsReverseTransformation() }
    }
#endif

/// The interface of `ValueTransformer`.
protocol ReversibleTransformer {
    /// Whether it supports the reverse transformation. If not, calling it crashes.
    var allowsReverse: Bool { get }

    func transformedValue(_ value: Any?) -> Any?

    func reverseTransformedValue(_ value: Any?) -> Any?
}

extension PreferenceTransformation {
    /// - Parameters:
    ///   - name: The transformer's name.
    ///   - registered: Returns the transformer that is registered under the name, or nil.
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
                throw PreferenceTransformationError(
                    "the value transformer '\(name)' does not support the reverse transformation"
                )
            }
            guard let value = transformer.reverseTransformedValue(stored) as? Value else {
                throw PreferenceTransformationError("'\(name)' does not return \(Value.self)")
            }
            return value
        } write: { value in
            guard let stored = try transformer().transformedValue(value) as? Stored else {
                throw PreferenceTransformationError("'\(name)' does not return \(Stored.self)")
            }
            return stored
        }
    }
}
