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
