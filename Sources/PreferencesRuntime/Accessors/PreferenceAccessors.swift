/// A home for preference accessors: anything that says which ``Preferences`` its keys are in.
///
/// Generated protocols refine it, one for each namespace. A type becomes a home for a namespace's accessors by
/// conforming:
///
/// ```swift
/// final class WeatherService: WeatherPreferences {
///     let preferences: Preferences
///     init(preferences: Preferences = .shared) { self.preferences = preferences }
///
///     func warmUp() { temperature += 1 }
/// }
/// ```
public protocol PreferenceAccessors {
    /// Where the accessors read and write.
    var preferences: Preferences { get }
}

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
