/// Nil is stored as ``PreferenceValue/null``, where it is stored at all: see
/// ``PreferenceAccessors/set(_:to:)-(StaticString,_)``.
///
/// There is one null: of an optional optional, both nils read as the outer one.
extension Optional: PreferenceConvertible where Wrapped: PreferenceConvertible {
    /// Reads null, or a value that fits.
    public init(preferenceValue: PreferenceValue) throws {
        self = preferenceValue == .null ? nil : try Wrapped(preferenceValue: preferenceValue)
    }

    /// The value's own, or ``PreferenceValue/null``.
    public func preferenceValue() throws -> PreferenceValue {
        try self?.preferenceValue() ?? .null
    }
}

/// What is known of an optional whose wrapped type is not.
protocol OptionalValue {
    static var wrappedType: Any.Type { get }
    var wrapped: Any? { get }
}

extension Optional: OptionalValue {
    static var wrappedType: Any.Type { Wrapped.self }
    var wrapped: Any? { self }
}
