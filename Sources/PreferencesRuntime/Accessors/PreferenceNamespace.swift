/// A namespace of a schema as a value, to be passed around: `preferences.weather`.
///
/// Generated structs conform.
public protocol PreferenceNamespace: PreferenceAccessors, Sendable {
    /// The namespace in some preferences.
    ///
    /// - Parameter preferences: Where the accessors read and write.
    init(preferences: Preferences)

    /// What the storage names of all the namespace's keys begin with, before a colon: `weather-service`,
    /// `weather-service:radar`.
    static var storageName: String { get }

    /// The storage names that keys of the namespace, or of one inside it, had before: ``PreferenceTrait/renamed(from:)``.
    /// None by default.
    static var formerStorageNames: [String] { get }
}

extension PreferenceNamespace {
    /// None.
    public static var formerStorageNames: [String] { [] }
}
