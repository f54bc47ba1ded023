public import PreferencesRuntime

/// At home with the accessors of the lamp.
public final class LampController: LampPreferences {
    /// Where the values are.
    public let preferences: Preferences

    // preferences:begin Light lamp
    /// Default `4`. Stored as `lamp:rotations`.
    fileprivate var rotations: Int {
        get { _getInt("lamp:rotations", default: 4) }
        set { _setInt("lamp:rotations", to: newValue) }
    }
    // preferences:end e4ba5576ee91a336

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
