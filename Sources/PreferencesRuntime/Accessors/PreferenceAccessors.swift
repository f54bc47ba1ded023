/// A type that has accessors for the keys of its ``Preferences``.
///
/// Generated protocols refine this one, one for each namespace. A type gets a namespace's accessors by conforming:
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
    /// The preferences that the accessors read and write.
    var preferences: Preferences { get }
}

/// A value that represents a namespace of a schema: `preferences.weather`.
///
/// Generated structs conform.
public protocol PreferenceNamespace: PreferenceAccessors, Sendable {
    /// Creates the namespace of some preferences.
    ///
    /// - Parameter preferences: The preferences that the accessors read and write.
    init(preferences: Preferences)

    /// The prefix of the storage names of the namespace's keys, which a colon follows: `weather-service`,
    /// `weather-service:radar`. Keys can have other names: see ``unprefixedStorageNames``.
    static var storageName: String { get }

    /// The storage names of keys of the namespace and of the namespaces inside it that do not begin with that prefix,
    /// because their `storageName` in the schema is another one. Empty by default.
    static var unprefixedStorageNames: [String] { get }

    /// The former storage names of keys of the namespace and of the namespaces inside it: see
    /// ``PreferenceTrait/renamed(from:)``. Empty by default.
    static var formerStorageNames: [String] { get }

    /// The hooks that the schema declares for keys of the namespace and of the namespaces inside it. Empty by default.
    static var declaredHooks: [any PreferenceHooks.Type] { get }
}

extension PreferenceNamespace {
    /// No storage names without the prefix.
    public static var unprefixedStorageNames: [String] { [] }

    /// No former storage names.
    public static var formerStorageNames: [String] { [] }

    /// No declared hooks.
    public static var declaredHooks: [any PreferenceHooks.Type] { [] }
}
