/// A type of the library's own around one that the user knows.
protocol ValueWrapper {
    /// The one that problem reports are to name.
    static var wrappedType: Any.Type { get }
}
