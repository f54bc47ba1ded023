/// A type of the library's own around one that the user knows.
protocol ValueWrapper {
    /// The one that problem reports are to name.
    static var wrappedType: Any.Type { get }
    /// The value that the user knows.
    var wrappedAny: Any { get }
    /// The same around another value, if it is of the type.
    func with(_ wrapped: Any) -> Self?
}
