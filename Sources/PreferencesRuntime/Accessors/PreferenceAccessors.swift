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
