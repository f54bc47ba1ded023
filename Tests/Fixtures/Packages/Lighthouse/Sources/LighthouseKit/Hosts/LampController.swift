public import PreferencesRuntime

/// At home with the accessors of the lamp.
public final class LampController: LampPreferences {
    /// The preferences that contain the values.
    public let preferences: Preferences

    // preferences:begin Light lamp
    /// Default `4`. Stored as `lamp:rotations`.
    fileprivate var rotations: Int {
        get { _Accessor.getInt(self, "lamp:rotations", default: 4) }
        set { _Accessor.setInt(self, "lamp:rotations", to: newValue) }
    }
    // preferences:end 6d910dafd9fbac32

    /// Makes a controller of the lamp whose preferences are given.
    public init(preferences: Preferences) {
        self.preferences = preferences
    }

    /// Lights the lamp, and returns how often it turns in a minute.
    public func light() -> Int {
        isLit = true
        rotations += 1
        return rotations
    }
}
