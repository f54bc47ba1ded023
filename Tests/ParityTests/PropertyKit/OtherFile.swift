import PreferencesRuntime

/// A property with a name that another file has a property of.
private protocol OtherPreferences: PreferenceAccessors {}

extension OtherPreferences {
    fileprivate var secret: String {
        get { get(default: "default") }
        nonmutating set { set(newValue) }
    }
}

private struct Other: OtherPreferences {
    let preferences: Preferences
}

extension Preferences {
    var otherFilesSecret: String { Other(preferences: self).secret }

    func setOtherFilesSecret(_ value: String) { Other(preferences: self).secret = value }
}
