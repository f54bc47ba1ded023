/// A type in which the runtime wraps the type of a key, such as one that is only `Codable`.
///
/// ``PreferenceStore/convert(_:of:to:)`` may be asked for a wrapper. A store that distinguishes types looks at the wrapped one.
public protocol PreferenceValueWrapper {
    /// The type of the key.
    static var wrappedType: Any.Type { get }
}

/// A wrapper whose value is replaceable.
protocol ValueWrapper: PreferenceValueWrapper {
    /// The value that the user knows.
    var wrappedAny: Any { get }
    /// The same around another value, if it is of the type.
    func with(_ wrapped: Any) -> Self?
}
