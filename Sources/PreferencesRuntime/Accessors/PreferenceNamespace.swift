/// A namespace of a schema as a value, to be passed around: `preferences.weather`.
///
/// Generated structs conform.
public protocol PreferenceNamespace: PreferenceAccessors, Sendable {
    /// The namespace in some preferences.
    ///
    /// - Parameter preferences: Where the accessors read and write.
    init(preferences: Preferences)
}
