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

    /// Tells the compiler whether a property is declared in a type, where this is known to be ``_DeclaredInType``, or in an
    /// extension of a protocol, where it is not. Do not declare it.
    associatedtype _PropertyOwner = _DeclaredInType
}

/// The ``PreferenceAccessors/_PropertyOwner`` of all types.
public enum _DeclaredInType {}
