import PreferencesRuntime

/// A type that is at home with the accessors of the telescope.
public final class TelescopeController: TelescopePreferences {
    /// The preferences that contain the values.
    public let preferences: Preferences

    /// Makes a controller of the telescope whose preferences are given.
    public init(preferences: Preferences) {
        self.preferences = preferences
    }

    /// Doubles the aperture, and returns what it was.
    public func upgrade() -> Double {
        defer { aperture *= 2 }
        return aperture
    }
}
